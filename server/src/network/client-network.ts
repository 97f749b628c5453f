import { AsyncLocalStorage } from 'node:async_hooks';
import type { FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';

/**
 * The key by which a client is counted: an IPv4 address, or the /64 of an IPv6 address. Providers assign at least a /64
 * to a customer, who can use any address of it. ::ffff:192.0.2.1 counts as 192.0.2.1.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

const clients = new AsyncLocalStorage<string>();

/** A request hook: everything that the request runs can read its client from `callingNetwork`. */
export const rememberClient = ({ ip }: FastifyRequest, _reply: unknown, done: () => void): void =>
  clients.run(networkOf(ip), done);

/** The client of the current request; empty outside of a request. */
export const callingNetwork = (): string => clients.getStore() ?? '';
