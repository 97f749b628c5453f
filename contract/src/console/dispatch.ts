import Type, { type Static } from 'typebox';
import { Closed, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { MOST_ASSIGNED_AT_ONCE, MOST_BOARD_ROWS } from './limits.ts';
import { ASSIGNMENT_WARNINGS, ShipmentState, Version } from './shipments.ts';

/** Seconds in which a person can undo an assignment, counted by the server. */
export const UNDO_SECONDS = 10;

const Cursor = Type.String({ maxLength: 1_000, description: 'From `nextCursor`.' });
const Until = Type.String({
  maxLength: 1_000,
  description: 'Ends the page with this cursor: a page that is read again neither repeats nor skips a row.',
});
const Limit = Type.Integer({ minimum: 1, maximum: MOST_BOARD_ROWS });
const NextCursor = Nullable(Type.String({ description: 'Of the next page; null at the end.' }));
const Driver = Closed({ id: Id('The driver.'), name: Type.String() });

const BoardShipment = Closed(
  {
    id: Id('The shipment.'),
    reference: Type.String(),
    version: Version,
    status: OneOf(SHIPMENT_STATUSES),
    account: Type.String({ description: 'Name of the merchant.' }),
    from: Nullable(Type.String({ description: 'Town of the pickup.' })),
    to: Nullable(Type.String({ description: 'Town of the recipient.' })),
    timeSlot: Nullable(Type.String()),
    slotStartsAt: Nullable(Instant()),
    promisedUntil: Instant({ description: 'End of the slot; without one, of the promised day.' }),
    search: Nullable(
      OneOf(['searching', 'unassigned', 'needs_location'] as const, {
        description: 'The search for a driver; null when none is under way.',
      }),
    ),
    driver: Nullable(Driver),
  },
  { title: 'BoardShipment' },
);
export type BoardShipment = Static<typeof BoardShipment>;

const BoardDriver = Closed(
  {
    id: Id('The driver.'),
    name: Type.String(),
    available: Type.Boolean(),
    positionAt: Nullable(Instant({ description: 'Of the last position within two minutes.' })),
    runCount: Type.Integer({ description: 'Parcels under way.' }),
    runs: Type.Array(
      Closed({
        id: Id('The shipment.'),
        reference: Type.String(),
        version: Version,
        status: OneOf(SHIPMENT_STATUSES),
        to: Nullable(Type.String()),
        timeSlot: Nullable(Type.String()),
        promisedUntil: Instant(),
      }),
      { description: 'The twenty that are due first.' },
    ),
  },
  { title: 'BoardDriver' },
);
export type BoardDriver = Static<typeof BoardDriver>;

const REFUSALS = [
  'unknown',
  'status',
  'same_driver',
  'run_limit',
  'driver_disabled',
  'command_reused',
  'too_late',
] as const;
export type BoardRefusal = (typeof REFUSALS)[number];

const PreviewRow = Closed(
  {
    shipmentId: Id('The shipment.'),
    will: OneOf(['assign', 'reassign', 'refuse'] as const),
    refusal: Nullable(OneOf(REFUSALS)),
    shipment: Nullable(ShipmentState),
    distanceKm: Nullable(Type.Number({ description: 'From the driver to the pickup.' })),
    warnings: Type.Array(OneOf(ASSIGNMENT_WARNINGS)),
  },
  { title: 'AssignmentPreview' },
);
export type AssignmentPreview = Static<typeof PreviewRow>;

const ResultRow = Closed(
  {
    shipmentId: Id('The shipment.'),
    outcome: OneOf(['done', 'changed', 'refused'] as const),
    refusal: Nullable(OneOf(REFUSALS)),
    conflict: Nullable(
      Closed(
        { by: Nullable(Type.String()), at: Nullable(Instant()), change: Nullable(Type.String()) },
        { description: 'With `changed`: the person who was first, when, and the act as in the log of acts.' },
      ),
    ),
    shipment: Nullable(ShipmentState),
  },
  {
    title: 'AssignmentResult',
    description: '`shipment` is its state after the act, also when somebody else changed it.',
  },
);
export type AssignmentResult = Static<typeof ResultRow>;

const Results = Closed({
  success: Success,
  at: Instant({ description: 'The server’s time.' }),
  undoUntil: Nullable(Instant({ description: 'Until then the done rows can be undone; null when there are none.' })),
  results: Type.Array(ResultRow, { description: 'In the order of the request.' }),
});

export const dispatchBoardEndpoints = defineConsoleEndpoints({
  listBoardShipments: {
    section: 'Dispatch board',
    summary: 'List shipments of every account for the dispatch board',
    description:
      '`unassigned`: those that need a driver now, by the promised time. `slots`: those with a slot that were not picked up, by the start of the slot.',
    query: Type.Object({
      list: OneOf(['unassigned', 'slots'] as const),
      from: Type.Optional(
        Type.String({ format: 'date', description: 'With `slots`: only slots of this local day or later.' }),
      ),
      after: Type.Optional(Cursor),
      until: Type.Optional(Until),
      limit: Type.Optional(Limit),
    }),
    answers: {
      200: Closed({
        success: Success,
        at: Instant(),
        shipments: Type.Array(BoardShipment),
        nextCursor: NextCursor,
      }),
    },
    needs: 'dispatch',
  },
  listBoardDrivers: {
    section: 'Dispatch board',
    summary: 'List drivers with their parcels, those who are available first',
    query: Type.Object({
      name: Type.Optional(Text({ maxLength: 100, description: 'The beginning of a word of the name.' })),
      after: Type.Optional(Cursor),
      until: Type.Optional(Until),
      limit: Type.Optional(Limit),
    }),
    answers: {
      200: Closed({
        success: Success,
        at: Instant(),
        runsPerDriver: Type.Integer({ description: 'The board assigns no more parcels to one driver.' }),
        drivers: Type.Array(BoardDriver),
        nextCursor: NextCursor,
      }),
    },
    needs: 'dispatch',
  },
  previewAssignments: {
    section: 'Dispatch board',
    summary: 'Say what an assignment of shipments to a driver would do, and what is against it',
    description: 'Changes nothing. Send the versions of the response with the assignment.',
    body: Type.Object({
      driverId: Id('The driver.'),
      shipmentIds: Type.Array(Id('The shipment.'), { minItems: 1, maxItems: MOST_ASSIGNED_AT_ONCE }),
    }),
    answers: {
      200: Closed({
        success: Success,
        driver: Closed({
          id: Id('The driver.'),
          name: Type.String(),
          available: Type.Boolean(),
          runs: Type.Integer({ description: 'Parcels under way.' }),
          runsPerDriver: Type.Integer(),
        }),
        rows: Type.Array(PreviewRow, { description: 'In the order of the request.' }),
      }),
    },
    needs: 'dispatch',
    findsOne: true,
  },
  assignShipments: {
    section: 'Dispatch board',
    summary: 'Assign shipments to a driver, with a result for each',
    description:
      'Each shipment is assigned by itself: others are not affected when one was changed meanwhile or is refused. A repeated `commandId` assigns nothing twice and completes what was not done.',
    body: Type.Object({
      commandId: Id('Chosen by the app.'),
      driverId: Id('The driver.'),
      rows: Type.Array(Type.Object({ shipmentId: Id('The shipment.'), version: Version }), {
        minItems: 1,
        maxItems: MOST_ASSIGNED_AT_ONCE,
      }),
    }),
    answers: { 200: Results },
    needs: 'dispatch',
    findsOne: true,
  },
  undoAssignments: {
    section: 'Dispatch board',
    summary: 'Undo one’s own assignment within ten seconds',
    description:
      'Each shipment returns to the driver it had, or to the search for one, unless something else happened to it since.',
    params: Type.Object({ id: Id('The `commandId` of the assignment.') }),
    answers: { 200: Results },
    needs: 'dispatch',
    findsOne: true,
  },
});
