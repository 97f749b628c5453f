import { isIP } from 'node:net';
import { type AddressCheck, createAddressCheck } from './address-check.ts';
import { createResolver, type ResolveHost } from './resolve-host.ts';

/** Allowed addresses and name resolution: the same for saving an endpoint and for sending to it. */
export interface TargetRules {
  resolve: ResolveHost;
  isAllowed: AddressCheck;
  /** The operator allowed a private network: its host names may be local. */
  allowsLocalNames: boolean;
}

export const createTargetRules = (allowedNetworks: readonly string[], resolve = createResolver()): TargetRules => ({
  resolve,
  isAllowed: createAddressCheck(allowedNetworks),
  allowsLocalNames: allowedNetworks.length > 0,
});

/**
 * Whether a host can never be sent to. Checks its syntax only: a DNS lookup would reveal which internal names exist. The
 * check at each connection is the one that protects.
 */
export function isForbiddenHost(
  { hostname }: URL,
  { isAllowed, allowsLocalNames }: Omit<TargetRules, 'resolve'>,
): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? !isAllowed(host) : !allowsLocalNames && LOCAL_NAME.test(host);
}

/** A single label, or a suffix that no public name has (RFC 6761, RFC 6762 appendix G, RFC 8375). */
const LOCAL_NAME = /^[^.]+\.?$|\.(localhost|local|internal|intranet|private|corp|home|lan|home\.arpa)\.?$/i;
