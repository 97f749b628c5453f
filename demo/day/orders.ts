import { setTimeout } from 'node:timers/promises';
import type { ShipmentRequest } from '@navette/contract';
import type { Story } from './book.ts';
import { cancel } from './cancel.ts';
import type { Day } from './day.ts';
import type { Merchant } from './merchant.ts';
import type { PlannedShipment } from './plan.ts';
import { peopleOf } from './post.ts';
import type { RushHour } from './rush-hour.ts';

/** Merchants order what is planned, each at its moment. */
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
  const { book, merchants, operator, options } = day;
  const merchant = merchants[planned.merchant] as Merchant;
  const key = `day-${options.seed}-${planned.number}`;
  const { status, body } = await merchant.create(requestFor(planned, merchant, rush), key);
  if (status !== 201 && status !== 200) {
    book.complain(null, `order ${planned.number} (${planned.mode}) answered ${status} ${JSON.stringify(body)}`);
    return;
  }
  const story = book.open(planned, body.shipping);
  const expected = planned.mode === 'express' ? 'created' : 'programmed';
  if (body.shipping.status !== expected) book.complain(story, `born ${body.shipping.status}, not ${expected}`);
  if (planned.fate === 'cancelled-early') await cancel(day, story);
  else if (isForAnotherDay(story, body.shipping.createdAt, rush)) operator.assign(story);
}

/** Also what missed today's agreed pickup time, on a machine too busy to take the order before. */
function isForAnotherDay({ plan: { mode } }: Story, createdAt: string, rush: RushHour): boolean {
  return mode === 'another-day' || (mode === 'agreed' && new Date(createdAt) >= rush.at);
}

function requestFor(planned: PlannedShipment, { name }: Merchant, rush: RushHour): ShipmentRequest {
  const { number, mode, isCollection, to, from } = planned;
  const { recipient, contact } = peopleOf(number);
  return {
    deliveryAddress: {
      recipientName: isCollection ? name : `Destinataire ${number}`,
      street: `${1 + (number % 90)} rue de la Roquette`,
      city: 'Paris',
      postalCode: '75011',
      coordinates: to,
      ...recipient,
    },
    parcelDetails: { weight: 0.5 + (number % 16) / 2, nature: 'Colis' },
    externalReference: { orderId: `commande-${number}` },
    metadata: { number },
    ...(mode === 'slot' ? rush.slot : mode === 'another-day' ? rush.anotherDay : {}),
    ...(isCollection && from
      ? {
          isCollection,
          collectionContact: { ...contact, name: `Contact ${number}` },
          pickupAddress: { street: '9 rue Oberkampf', city: 'Paris', postalCode: '75011', coordinates: from },
        }
      : {}),
  };
}
