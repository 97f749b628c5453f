import { type AddressCheck, createAddressCheck } from '../../adapters/endpoint/address-check.ts';
import { ForbiddenAddress, resolveChecked } from '../../adapters/endpoint/checked-addresses.ts';
import { createResolver, type ResolveHost } from '../../adapters/endpoint/resolve-host.ts';
import { refuseInWords } from '../../http/dashboard-refusal.ts';

/** What may be connected to, and how names are resolved: the same for saving a webhook and for sending to it. */
export interface TargetRules {
  resolve: ResolveHost;
  isAllowed: AddressCheck;
}

export const createTargetRules = (allowedNetworks: readonly string[], resolve = createResolver()): TargetRules => ({
  resolve,
  isAllowed: createAddressCheck(allowedNetworks),
});

/**
 * Refuses an address that could never be sent to, so that the merchant learns it now. A name that does not resolve yet
 * is taken; what counts is the check at each connection.
 */
export async function checkTarget(url: string, { resolve, isAllowed }: TargetRules): Promise<void> {
  const target = URL.canParse(url) ? new URL(url) : refuseInWords('WEBHOOK_URL_UNREADABLE');
  if (!['http:', 'https:'].includes(target.protocol)) {
    refuseInWords('WEBHOOK_URL_NOT_HTTP');
  }
  if (target.username || target.password) {
    refuseInWords('WEBHOOK_URL_WITH_PASSWORD');
  }
  const host = target.hostname.replace(/^\[|\]$/g, '');
  try {
    await resolveChecked(host, resolve, isAllowed);
  } catch (error) {
    if (error instanceof ForbiddenAddress) {
      refuseInWords('WEBHOOK_URL_NOT_PUBLIC');
    }
  }
}
