import Type, { type Static } from 'typebox';
import { DoneAnswer } from '../dashboard/session.ts';
import { Closed, Cursor, Email, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { DRIVER_DOCUMENTS } from './driver-documents.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { Reason } from './reason.ts';

const DriverParams = Type.Object({ id: Id('The driver.') });
const INVITE_BY = ['email', 'sms'] as const;

const DocumentParams = Type.Object({ id: Id('The driver.'), kind: OneOf(DRIVER_DOCUMENTS) });
const DocumentVersion = Type.Integer({
  minimum: 0,
  description: '`version` of the paper that the person has read; 0: none.',
});

const ListedDriver = Closed(
  {
    id: Id('The driver.'),
    name: Type.String(),
    email: Nullable(Type.String()),
    phone: Type.String(),
    available: Type.Boolean(),
    createdAt: Instant(),
    disabledAt: Nullable(Instant()),
  },
  { title: 'ListedDriver' },
);
export type ListedDriver = Static<typeof ListedDriver>;

export const driverActEndpoints = defineConsoleEndpoints({
  listDrivers: {
    section: 'Drivers',
    summary: 'List drivers, newest first',
    query: Type.Object({
      cursor: Cursor,
    }),
    answers: {
      200: Closed({ success: Success, drivers: Type.Array(ListedDriver), nextCursor: Nullable(Type.String()) }),
    },
    needs: 'read',
  },
  createDriver: {
    section: 'Drivers',
    summary: 'Create a driver, and send a link to set the password',
    description: 'A second request with the same e-mail address is refused.',
    body: Type.Object({
      firstName: Text({ maxLength: 200 }),
      lastName: Text({ maxLength: 200 }),
      email: Email(),
      phoneNumber: Text({ maxLength: 50, description: 'French, or international with + and the country code.' }),
      autoAccept: Type.Boolean({ description: 'Runs are assigned without an offer.' }),
      inviteBy: Nullable(OneOf(INVITE_BY)),
    }),
    answers: { 201: Closed({ success: Success, id: Id('The driver.') }) },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'dispatch',
  },
  inviteDriver: {
    section: 'Drivers',
    summary: 'Send a link with which the driver sets the password and signs in',
    description: 'Works once. For a driver who has a password, using it ends all other sessions.',
    params: DriverParams,
    body: Type.Object({ by: OneOf(INVITE_BY) }),
    answers: { 200: DoneAnswer },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'dispatch',
    findsOne: true,
  },
  endDriverSession: {
    section: 'Drivers',
    summary: 'End one session of a driver',
    params: Type.Object({ id: Id('The driver.'), sessionId: Id('The session.') }),
    answers: { 200: DoneAnswer },
    needs: 'dispatch',
    findsOne: true,
  },
  disableDriver: {
    section: 'Drivers',
    summary: 'Disable a driver permanently: sessions end at once',
    description: 'Parcels under way stay with the driver until they are assigned to somebody else.',
    params: DriverParams,
    body: Type.Object({ reason: Reason }),
    answers: { 200: DoneAnswer },
    refusals: ['NOT_POSSIBLE_NOW'],
    needs: 'administer',
    findsOne: true,
  },
  setDriverDocument: {
    section: 'Drivers',
    summary: 'Enter a paper of a driver, or the one that replaces it',
    params: DocumentParams,
    body: Type.Object({
      number: Nullable(Text({ maxLength: 100 })),
      expiresOn: Nullable(
        Type.String({
          pattern: '^[12]\\d{3}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
          description: 'The last day; null: it does not expire.',
        }),
      ),
      version: DocumentVersion,
    }),
    answers: { 200: DoneAnswer },
    refusals: ['CHANGED_MEANWHILE'],
    needs: 'dispatch',
    findsOne: true,
  },
  removeDriverDocument: {
    section: 'Drivers',
    summary: 'Remove a paper of a driver',
    params: DocumentParams,
    body: Type.Object({ version: DocumentVersion }),
    answers: { 200: DoneAnswer },
    refusals: ['CHANGED_MEANWHILE'],
    needs: 'dispatch',
    findsOne: true,
  },
  correctDriverPay: {
    section: 'Drivers',
    summary: 'Add a correction to a driver’s ledger: entries never change',
    params: DriverParams,
    body: Type.Object({
      amount: Type.Number({ minimum: -10_000, maximum: 10_000, description: 'EUR; negative takes back.' }),
      reason: Text({
        maxLength: 500,
        description: 'Shown to the driver, and kept for ten years: it must name nobody.',
      }),
      lastEntry: Type.Integer({
        description: '`lastEntry` of the pay that the person has read: a request sent twice is applied once.',
      }),
    }),
    answers: { 200: DoneAnswer },
    refusals: ['CHANGED_MEANWHILE'],
    needs: 'money',
    findsOne: true,
  },
});
