import { isIP } from 'node:net';
import type { AddressCheck } from './address-check.ts';
import type { ResolveHost } from './resolve-host.ts';

/**
 * No connection was made: the address is not public, or the name has no public address. A name that does not resolve and
 * one that resolves to a private address give the same error, so that merchants cannot discover internal names.
 */
export class NoPublicAddress extends Error {
  readonly code = 'NO_PUBLIC_ADDRESS';
}

/** The addresses of a name. Throws when any of them is forbidden: a mixed answer is an attack. */
export async function resolveChecked(
  name: string,
  resolve: ResolveHost,
  isAllowed: AddressCheck,
): Promise<[string, ...string[]]> {
  const [first, ...rest] = isIP(name) ? [name] : await resolve(name).catch(() => []);
  if (first === undefined || ![first, ...rest].every(isAllowed)) throw new NoPublicAddress('no public address');
  return [first, ...rest];
}
