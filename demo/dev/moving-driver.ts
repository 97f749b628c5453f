import { setTimeout } from 'node:timers/promises';
import type { DriverShipment, Offer } from '@navette/contract';
import { distanceKm } from '../../server/src/geography/distance-km.ts';
import type { DriverPhone } from '../day/driver-phone.ts';
import { type Place, strideTowards } from '../day/paris.ts';

const TICK_MS = 2_000;
const STRIDE_KM = 0.2; // 360 km/h: a run takes about a minute, so that a developer sees all of it
const NEAR_KM = 0.03;
const MOST_RUNS = 2;
const WAIT_FOR_CODE_MS = 60_000;

export interface Helpers {
  /** The delivery code that the recipient of this phone number received; null while there is no SMS. */
  codeFor(phoneNumber: string): Promise<string | null>;
  /** For a recipient whose SMS was sent before this process started. */
  confirmDelivery(referenceNumber: string): Promise<unknown>;
}

/** A driver at work over the driver API, until the signal: sends positions, accepts offers, picks up and delivers. */
export async function drive(phone: DriverPhone, from: Place, helpers: Helpers, signal: AbortSignal): Promise<void> {
  let place = from;
  let waitingSince: number | null = null;
  await phone.send('setAvailability', { available: true });
  while (!signal.aborted) {
    await phone.send('sendPosition', { ...place });
    const runs = await listRuns();
    if (runs.length < MOST_RUNS) await acceptOne();
    const [run] = runs;
    if (run) await goOn(run);
    await setTimeout(TICK_MS, undefined, { signal }).catch(() => {});
  }

  /** Runs to pick up first, then runs to deliver. */
  async function listRuns(): Promise<DriverShipment[]> {
    const { body } = await phone.send('listShipments');
    const runs = (body.shippings ?? []) as DriverShipment[];
    return runs.toSorted((a, b) => Number(b.status === 'assigned') - Number(a.status === 'assigned'));
  }

  async function acceptOne(): Promise<void> {
    const { body } = await phone.send('listOffers');
    const [offer] = (body.offers ?? []) as Offer[];
    if (offer) await phone.send('acceptOffer', { id: offer.shipping.id });
  }

  async function goOn(run: DriverShipment): Promise<void> {
    const goal = run.status === 'assigned' ? run.pickup.coordinates : run.delivery.coordinates;
    if (!goal) return;
    place = strideTowards(place, goal, STRIDE_KM);
    if (distanceKm(place, goal) > NEAR_KM) return;
    if (run.status === 'assigned') await pickUp(run);
    else await deliver(run);
  }

  async function pickUp({ id }: DriverShipment): Promise<void> {
    const { status } = await phone.send('pickUp', { id });
    if (status === 200) await phone.send('depart', { id });
    else await phone.send('abandon', { id, reason: 'Panne de vélo' }); // a collection, whose QR code this driver lacks
  }

  async function deliver({ id, referenceNumber, delivery }: DriverShipment): Promise<void> {
    const deliveryCode = await helpers.codeFor(delivery.phoneNumber ?? '');
    if (deliveryCode) {
      await phone.send('deliver', { id, deliveryCode });
      waitingSince = null;
      return;
    }
    waitingSince ??= performance.now();
    if (performance.now() - waitingSince < WAIT_FOR_CODE_MS) return;
    await helpers.confirmDelivery(referenceNumber);
    waitingSince = null;
  }
}
