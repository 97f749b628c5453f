import Type, { type Static } from 'typebox';
import { Closed, Euros, Id, Instant, OneOf, Success } from '../schema-kit.ts';
import { PAYMENT_MODES, SHIPMENT_STATUSES, type ShipmentStatus } from '../statuses.ts';
import { Block } from './account.ts';
import { defineEndpoints } from './endpoint.ts';
import { FirstSteps } from './start.ts';

const Day = Closed(
  {
    date: Type.String({ format: 'date', description: 'A local day.' }),
    shipments: Type.Integer({ description: 'Created on this day, including cancelled ones.' }),
    spend: Euros({ description: 'Price of the shipments created on this day and not cancelled since.' }),
    delivered: Type.Integer({ description: 'Delivered on this day.' }),
    onTime: Type.Integer({
      description: 'Of those, delivered by the end of the slot or, for express, on the day of creation.',
    }),
  },
  { title: 'OverviewDay' },
);
export type OverviewDay = Static<typeof Day>;

/** The health of webhooks is computed from the latest deliveries of the last 24 hours, up to this number. */
export const JUDGED_DELIVERIES = 1_000;
/** Shipments without a driver are counted up to this number. */
export const COUNTED_UNASSIGNED = 100;

const Overview = Closed(
  {
    days: Type.Array(Day, { description: 'Oldest first, today last, including days without shipments.' }),
    previousDays: Type.Array(Day, { description: 'As many days before those, oldest first, for a comparison.' }),
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
      paused: Type.Array(Closed({ id: Id('Webhook id'), url: Type.String(), since: Instant() }), {
        description: 'Paused by the service because they kept failing.',
      }),
    }),
    attention: Closed({
      blocks: Type.Array(Block),
      unassigned: Type.Integer({
        description: `Shipments without a driver after all drivers were asked; ${COUNTED_UNASSIGNED} means that number or more.`,
      }),
      recurring: Type.Integer({ description: 'Recurring shipments whose next occurrences are refused.' }),
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
    summary: 'Read the figures of the last days, and what needs attention',
    query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 30 })) }),
    answers: { 200: Closed({ success: Success, overview: Overview }) },
    needs: 'read',
  },
});
