import { isIP } from 'node:net';
import { isResourceAllowed } from '@navette/contract';
import type { FastifyRequest } from 'fastify';
import type { KeyRestrictions } from './caller.ts';

/** Whether a narrowed key may call this endpoint from this address. */
export function isWithin({ networks, resources }: KeyRestrictions, request: FastifyRequest): boolean {
  const { ip, routeOptions } = request;
  const version = isIP(ip); // 0 for an address that the proxy wrote in another form
  if (networks && (version === 0 || !networks.check(ip, `ipv${version === 6 ? 6 : 4}`))) return false;
  return !resources || isResourceAllowed(routeOptions.config.endpoint?.path ?? '', resources);
}
