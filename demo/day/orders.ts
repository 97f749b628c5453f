import { setTimeout } from 'node:timers/promises';
import type { ShipmentRequest } from '@navette/contract';
import { cancel } from './cancel.ts';
import type { Day } from './day.ts';
import type { TrackedShipment } from './journal.ts';
import type { Merchant } from './merchant.ts';
import type { PlannedShipment } from './plan.ts';
import { peopleOf } from './post.ts';
import type { RushHour } from './rush-hour.ts';

const LOST_ANSWERS = 10; // on a day with faults, one answer in so many is lost on the way, and the merchant sends its order again

/** Merchants create the planned shipments, each at its time. */
export async function placeOrders(day: Day, plan: PlannedShipment[], rush: RushHour): Promise<void> {
  const began = performance.now();
  await Promise.all(
    plan.map(async (planned) => {
      await setTimeout(Math.max(0, began + planned.atMs - performance.now()));
      await order(day, planned, rush);
    }),
  );
}

async function order(day: Day, planned: PlannedShipment, rush: RushHour): Promise<void> {
  const { journal, merchants, options } = day;
  const merchant = merchants[planned.merchant] as Merchant;
  const key = `day-${options.seed}-${planned.number}`;
  const request = requestFor(planned, merchant, rush);
  if (options.faults !== 'none' && planned.number % LOST_ANSWERS === 0) await merchant.create(request, key);
  const { status, body } = await merchant.create(request, key);
  if (status !== 201 && status !== 200) {
    journal.report(null, `order ${planned.number} (${planned.mode}) answered ${status} ${JSON.stringify(body)}`);
    return;
  }
  const first = planned.mode === 'express' ? 'created' : 'programmed';
  const tracked = journal.open(planned, { ...body.shipping, status: first });
  const isRepeated = status === 200; // the answer has the status of that moment
  if (!isRepeated && body.shipping.status !== first) {
    journal.report(tracked, `created as ${body.shipping.status}, not ${first}`);
  }
  if (planned.fate === 'cancelled-early') await cancel(day, tracked);
  else if (isForAnotherDay(tracked, body.shipping.createdAt, rush)) await cancel(day, tracked);
}

/** Created after today's agreed pickup time, because the machine was busy: the merchant does not want it tomorrow. */
function isForAnotherDay({ plan: { mode } }: TrackedShipment, createdAt: string, rush: RushHour): boolean {
  return mode === 'agreed' && new Date(createdAt) >= rush.at;
}

/** No geocoder finds it. */
const NOWHERE = { city: 'Nulle part', postalCode: '99999', country: 'Atlantide' };

function requestFor(planned: PlannedShipment, { name }: Merchant, rush: RushHour): ShipmentRequest {
  const { number, mode, fate, isCollection, to, from } = planned;
  const { recipient, contact } = peopleOf(number);
  return {
    deliveryAddress: {
      recipientName: isCollection ? name : `Destinataire ${number}`,
      street: `${1 + (number % 90)} rue de la Roquette`,
      ...(fate === 'unlocated' ? NOWHERE : { city: 'Paris', postalCode: '75011', coordinates: to }),
      ...recipient,
    },
    parcelDetails: { weight: 0.5 + (number % 16) / 2, nature: 'Colis' },
    externalReference: { orderId: `commande-${number}` },
    metadata: { number },
    ...(mode === 'slot' ? rush.slot : {}),
    ...(isCollection && from
      ? {
          isCollection,
          collectionContact: { ...contact, name: `Contact ${number}` },
          pickupAddress: { street: '9 rue Oberkampf', city: 'Paris', postalCode: '75011', coordinates: from },
        }
      : {}),
  };
}
