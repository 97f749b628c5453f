import type { Offer } from '@navette/contract';
import { call } from '../api/call.ts';
import { createStore } from '../state/store.ts';

const NO_OFFERS: Offer[] = [];

/** Open offers, next to expire first. Not stored: an offer lasts seconds and needs the network anyway. */
export const offersStore = createStore<Offer[]>(NO_OFFERS);
/** Offers that the driver has answered on this phone. A later search may offer the same shipment again. */
const answered = new Set<string>();
const keyOf = ({ shipping, expiresAt }: Offer) => `${shipping.id} ${expiresAt}`;

export async function refreshOffers(): Promise<void> {
  const { offers } = await call('listOffers');
  const open = offers.filter((offer) => !answered.has(keyOf(offer)));
  if (open.length > 0 || offersStore.get().length > 0) offersStore.set(open);
}

/** Takes an offer off the screen. */
export function removeOffer(offer: Offer): void {
  answered.add(keyOf(offer));
  offersStore.set(offersStore.get().filter((other) => other !== offer && keyOf(other) !== keyOf(offer)));
}
