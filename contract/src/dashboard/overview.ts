import Type, { type Static } from 'typebox';
import { Closed, Euros, Id, Instant, OneOf, Success } from '../schema-kit.ts';
import { PAYMENT_MODES, SHIPMENT_STATUSES, type ShipmentStatus } from '../statuses.ts';
import { Block } from './account.ts';
import { defineEndpoints } from './endpoint.ts';
import { FirstSteps } from './start.ts';

const Day = Closed(
  {
    date: Type.String({ format: 'date', description: 'A local day.' }),
    shipments: Type.Integer({ description: 'Created on this day, cancelled ones too.' }),
    spend: Euros({ description: 'Price of what was created on this day and not cancelled since.' }),
    delivered: Type.Integer({ description: 'Delivered on this day.' }),
    onTime: Type.Integer({ description: 'Of those: by the end of the slot, or for express on the day of creation.' }),
  },
  { title: 'OverviewDay' },
);
export type OverviewDay = Static<typeof Day>;

/** Deliveries of webhooks are judged by the latest of the last 24 hours, up to this many. */
export const JUDGED_DELIVERIES = 1_000;
/** Of shipments without a driver, at most this many are counted. */
export const COUNTED_UNASSIGNED = 100;

const Overview = Closed(
  {
    days: Type.Array(Day, { description: 'Oldest first, today last, days without shipments too.' }),
    byStatus: Closed(
      Object.fromEntries(SHIPMENT_STATUSES.map((status) => [status, Type.Integer()])) as Record<
        ShipmentStatus,
        Type.TInteger
      >,
    ),
    webhooks: Closed({
      active: Type.Integer(),
      delivered: Type.Integer(),
      dropped: Type.Integer({ description: 'Three attempts failed.' }),
      pending: Type.Integer(),
      failing: Type.Array(Closed({ id: Id('Webhook id'), url: Type.String(), since: Instant() })),
    }),
    attention: Closed({
      blocks: Type.Array(Block),
      unassigned: Type.Integer({
        description: `Still without a driver after all were asked; ${COUNTED_UNASSIGNED} means that or more.`,
      }),
    }),
    firstSteps: FirstSteps,
    balance: Euros(),
    amountDue: Euros(),
    paymentMode: OneOf(PAYMENT_MODES),
  },
  { title: 'Overview' },
);
export type Overview = Static<typeof Overview>;

export const overviewEndpoints = defineEndpoints({
  readOverview: {
    section: 'Overview',
    summary: 'The last days in figures, and what needs attention',
    query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 30 })) }),
    answers: { 200: Closed({ success: Success, overview: Overview }) },
    needs: 'read',
  },
});
