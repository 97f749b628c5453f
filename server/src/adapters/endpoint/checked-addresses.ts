import { isIP } from 'node:net';
import type { AddressCheck } from './address-check.ts';
import type { ResolveHost } from './resolve-host.ts';

/** The target is no public address: nothing was connected to. */
export class ForbiddenAddress extends Error {
  readonly code = 'FORBIDDEN_ADDRESS';
}

/** The addresses of a name, or a refusal when any of them is forbidden: a mixed answer is an attempt to slip through. */
export async function resolveChecked(
  name: string,
  resolve: ResolveHost,
  isAllowed: AddressCheck,
): Promise<[string, ...string[]]> {
  const [first, ...rest] = isIP(name) ? [name] : await resolve(name);
  if (first === undefined) throw new Error('no address');
  if (![first, ...rest].every(isAllowed)) throw new ForbiddenAddress('forbidden address');
  return [first, ...rest];
}
