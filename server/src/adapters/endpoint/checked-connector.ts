import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import type { AddressCheck } from './address-check.ts';
import { NoPublicAddress, resolveChecked } from './checked-addresses.ts';
import { ForbiddenPort, isForbiddenPort } from './forbidden-ports.ts';
import type { ResolveHost } from './resolve-host.ts';

export interface ConnectorOptions {
  resolve: ResolveHost;
  isAllowed: AddressCheck;
  timeoutMs: number;
}

/**
 * Opens connections for undici, to allowed addresses only. A name is resolved once per connection, all of its addresses
 * must be allowed, and the connection goes to one of them. This prevents DNS rebinding. Node does not call the look-up
 * function for numeric addresses, so those are checked before.
 */
export function createCheckedConnector({ resolve, isAllowed, timeoutMs }: ConnectorOptions): buildConnector.connector {
  const find = callbackify((name: string) => resolveChecked(name, resolve, isAllowed));
  const lookup: LookupFunction = (name, options, done) =>
    find(name, (error, addresses) => {
      if (error) return done(error, '');
      const [first, ...rest] = addresses;
      if (!options.all) return done(null, first, isIP(first));
      done(
        null,
        [first, ...rest].map((address) => ({ address, family: isIP(address) })),
      );
    });
  const connect = buildConnector({ lookup, timeout: timeoutMs, allowH2: false });
  return (options, done) => {
    const refuse = (error: Error) => queueMicrotask(() => done(error, null));
    if (isForbiddenPort(options.port ?? '')) return refuse(new ForbiddenPort('forbidden port'));
    if (isIP(options.hostname) && !isAllowed(options.hostname)) return refuse(new NoPublicAddress('no public address'));
    connect(options, done);
  };
}
