import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import type { AddressCheck } from './address-check.ts';
import { ForbiddenAddress, resolveChecked } from './checked-addresses.ts';
import type { ResolveHost } from './resolve-host.ts';

export interface ConnectorOptions {
  resolve: ResolveHost;
  isAllowed: AddressCheck;
  timeoutMs: number;
}

/**
 * Opens connections for undici, to checked addresses only. A name is resolved once per connection and all of its
 * addresses must be allowed; the connection then goes to one of exactly those, so that a second answer of the name
 * server cannot lead elsewhere. Node asks no look-up function about addresses written as numbers: they are checked
 * before.
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
    if (isIP(options.hostname) && !isAllowed(options.hostname)) {
      queueMicrotask(() => done(new ForbiddenAddress('forbidden address'), null));
      return;
    }
    connect(options, done);
  };
}
