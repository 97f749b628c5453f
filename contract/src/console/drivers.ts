import Type, { type Static } from 'typebox';
import { ExpectedArrival } from '../arrival.ts';
import { Closed, Euros, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';
import { DRIVER_DOCUMENTS } from './driver-documents.ts';
import { defineConsoleEndpoints } from './endpoint.ts';

const DriverParams = Type.Object({ id: Id('The driver.') });

const Run = Closed(
  {
    id: Id('The shipment.'),
    reference: Type.String(),
    status: OneOf(SHIPMENT_STATUSES),
    isReturned: Type.Boolean(),
    account: Type.String(),
    from: Type.String({ description: 'Town of the pickup.' }),
    to: Type.String({ description: 'Town of the recipient.' }),
    timeSlot: Nullable(Type.String()),
    arrival: ExpectedArrival,
    at: Instant({ description: 'The latest step.' }),
  },
  { title: 'DriverRun' },
);
export type DriverRun = Static<typeof Run>;

const DriverPage = Closed(
  {
    driver: Closed({
      id: Id('The driver.'),
      name: Type.String(),
      phone: Type.String(),
      email: Nullable(Type.String()),
      available: Type.Boolean(),
      autoAccept: Type.Boolean(),
      rating: Nullable(Type.Number()),
      createdAt: Instant(),
      disabledAt: Nullable(Instant()),
      positionAt: Nullable(Instant({ description: 'Of the last position within two minutes.' })),
    }),
    runs: Type.Array(Run, { description: 'Under way, by the time of assignment.' }),
    endedToday: Type.Array(Run, { description: 'Delivered, cancelled or returned on the local day, newest first.' }),
    incidents: Type.Array(
      Closed({
        id: Id('The incident.'),
        kind: Type.String(),
        at: Instant(),
        resolution: Nullable(Type.String()),
        shipment: Closed({ id: Id('The shipment.'), reference: Type.String() }),
      }),
      { description: 'The latest twenty, newest first.' },
    ),
    sessions: Type.Array(
      Closed({
        id: Id('The session.'),
        device: Nullable(Type.String()),
        createdAt: Instant(),
        lastUsedAt: Instant(),
        expiresAt: Instant(),
      }),
    ),
    documents: Type.Array(
      Closed({
        kind: OneOf(DRIVER_DOCUMENTS),
        number: Nullable(Type.String()),
        expiresOn: Nullable(Type.String({ format: 'date', description: 'The last day.' })),
        version: Type.Integer(),
        changedAt: Instant(),
        changedBy: Type.String(),
      }),
    ),
    pay: Nullable(
      Closed({
        month: Type.String({ description: 'The current one, YYYY-MM.' }),
        total: Euros({ description: 'Of the month.' }),
        balance: Euros(),
        lastEntry: Type.Integer({ description: 'Number of the latest entry; 0 without one.' }),
        entries: Type.Array(
          Closed({
            entry: Type.Integer(),
            at: Instant(),
            kind: Type.String(),
            amount: Euros(),
            reference: Nullable(Type.String()),
          }),
          { description: 'Of the month, newest first, at most a hundred.' },
        ),
      }),
    ),
  },
  { title: 'DriverPage' },
);
export type DriverPage = Static<typeof DriverPage>;

export const driverPageEndpoints = defineConsoleEndpoints({
  readDriverPage: {
    section: 'Drivers',
    summary: 'Read a driver: the day, runs, incidents, sessions and pay',
    description: '`pay` is null where drivers are not paid by run.',
    params: DriverParams,
    answers: { 200: Closed({ success: Success, page: DriverPage }) },
    needs: 'read',
    findsOne: true,
  },
  endDriverSessions: {
    section: 'Drivers',
    summary: 'End every session of a driver, as after a lost phone',
    description: 'The driver can sign in again with the password.',
    params: DriverParams,
    answers: { 200: Closed({ success: Success, ended: Type.Integer() }) },
    needs: 'dispatch',
    findsOne: true,
  },
});
