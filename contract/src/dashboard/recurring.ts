import Type, { type Static } from 'typebox';
import { Closed, Euros, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { ShipmentRequest } from '../schemas/shipment.ts';
import { SHIPMENT_STATUSES } from '../statuses.ts';
import { defineEndpoints } from './endpoint.ts';
import { CreationHeaders } from './shipments.ts';

/** Schedules of one account that have not ended. */
export const MAX_RECURRING = 200;
export const SHOWN_OCCURRENCES = 10;
/** Shipments are created this long before their slot: a Monday's on Friday, while the shop can still react. */
export const RECURRING_AHEAD_HOURS = 72;
/** After the end of a schedule, its recipient and content are erased. */
export const RECURRING_KEPT_DAYS = 30;

export const RECURRING_STATES = ['active', 'paused', 'ended'] as const;
export type RecurringState = (typeof RECURRING_STATES)[number];

/** planned: not created yet. refused: tried and not possible so far. missed: its slot started without a shipment. */
export const OCCURRENCE_STATES = ['planned', 'created', 'skipped', 'refused', 'missed'] as const;
export type OccurrenceState = (typeof OCCURRENCE_STATES)[number];

const Day = Type.String({ format: 'date', maxLength: 10, description: 'A local date.', examples: ['2030-05-21'] });
const Weekday = Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday, 7 is Sunday.' });

const RecurringContent = Type.Omit(ShipmentRequest, ['scheduledDate', 'timeSlot'], {
  title: 'RecurringContent',
  description: 'The body of a creation, without date and slot: the rule sets them.',
});
export type RecurringContent = Static<typeof RecurringContent>;

const RecurringRequest = Type.Object(
  {
    weekdays: Type.Array(Weekday, { minItems: 1, maxItems: 7, uniqueItems: true }),
    timeSlot: Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '\\S',
      description: 'The id or label of one of the account’s slots, or free text such as `10h-12h`.',
      examples: ['10h-12h'],
    }),
    startsOn: Day,
    endsOn: Type.Optional(Nullable(Day)),
    shipment: RecurringContent,
  },
  { title: 'RecurringRequest' },
);
export type RecurringRequest = Static<typeof RecurringRequest>;

const CreatedShipment = Closed(
  { id: Id('Shipment id'), referenceNumber: Type.String(), status: OneOf(SHIPMENT_STATUSES) },
  { title: 'CreatedOccurrence' },
);

const Occurrence = Closed(
  {
    day: Day,
    startsAt: Nullable(
      Instant({ description: 'Start of the slot; null for a past day, whose rule may have changed.' }),
    ),
    state: OneOf(OCCURRENCE_STATES),
    price: Nullable(Euros({ description: 'What it would cost by the current settings; null once it was created.' })),
    shipment: Nullable(CreatedShipment),
    reason: Nullable(Type.String({ description: 'The slug of the refusal.' })),
  },
  { title: 'Occurrence' },
);
export type Occurrence = Static<typeof Occurrence>;

const summary = {
  id: Id('Schedule id'),
  state: OneOf(RECURRING_STATES),
  weekdays: Type.Array(Weekday),
  timeSlot: Type.String({ description: 'The slot’s label.' }),
  startsOn: Day,
  endsOn: Nullable(Day),
  recipientName: Nullable(Type.String({ description: 'Null once erased.' })),
  city: Nullable(Type.String()),
  nature: Nullable(Type.String()),
  next: Nullable(
    Closed(
      { day: Day, startsAt: Instant() },
      { description: 'The next occurrence that is not skipped; null when paused or ended.' },
    ),
  ),
  problem: Nullable(
    Closed(
      { day: Day, reason: Type.String({ description: 'The slug of the refusal.' }) },
      { description: 'The first occurrence to come that could not be created so far.' },
    ),
  ),
};
const RecurringSummary = Closed(summary, { title: 'RecurringSummary' });
export type RecurringSummary = Static<typeof RecurringSummary>;

const Recurring = Closed(
  {
    ...summary,
    shipment: Nullable(RecurringContent),
    upcoming: Type.Array(Occurrence, { description: `The next ${SHOWN_OCCURRENCES}, by the current rule.` }),
    past: Type.Array(Occurrence, {
      description: 'Created shipments and missed occurrences, latest first; at most 50.',
    }),
    createdBy: Nullable(Type.String()),
    createdAt: Instant(),
    endedAt: Nullable(Instant()),
  },
  { title: 'Recurring' },
);
export type Recurring = Static<typeof Recurring>;

const RecurringParams = Type.Object({ id: Type.String() });
const OccurrenceParams = Type.Object({ id: Type.String(), day: Day });
const RecurringAnswer = Closed({ success: Success, recurring: Recurring });

const ruleRefusals = ['UNKNOWN_SLOT', 'NO_OCCURRENCE'] as const;

export const recurringEndpoints = defineEndpoints({
  listRecurring: {
    section: 'Recurring shipments',
    summary: 'List the account’s recurring shipments',
    needs: 'read',
    answers: {
      200: Closed({
        success: Success,
        recurring: Type.Array(RecurringSummary, { description: 'Newest first; of the ended ones the latest 50.' }),
      }),
    },
  },
  createRecurring: {
    section: 'Recurring shipments',
    summary: 'Repeat a shipment on some weekdays',
    description: `Each shipment is created and charged ${RECURRING_AHEAD_HOURS} hours before its slot.`,
    needs: 'ship',
    headers: CreationHeaders,
    body: RecurringRequest,
    answers: { 200: RecurringAnswer, 201: RecurringAnswer },
    refusals: [...ruleRefusals, 'TOO_MANY_RECURRING'],
  },
  readRecurring: {
    section: 'Recurring shipments',
    summary: 'Read one with its next occurrences and its shipments',
    needs: 'read',
    params: RecurringParams,
    answers: { 200: RecurringAnswer },
    findsOne: true,
  },
  changeRecurring: {
    section: 'Recurring shipments',
    summary: 'Change the rule or the content',
    description: 'Occurrences that are not created yet follow the change; created shipments stay as they are.',
    needs: 'ship',
    params: RecurringParams,
    body: RecurringRequest,
    answers: { 200: RecurringAnswer },
    refusals: [...ruleRefusals, 'RECURRING_ENDED'],
    findsOne: true,
  },
  setRecurringState: {
    section: 'Recurring shipments',
    summary: 'Pause, resume or end',
    description: 'Occurrences during a pause are not created later. An end is final.',
    needs: 'ship',
    params: RecurringParams,
    body: Type.Object({ state: OneOf(RECURRING_STATES) }),
    answers: { 200: RecurringAnswer },
    refusals: ['RECURRING_ENDED'],
    findsOne: true,
  },
  setOccurrence: {
    section: 'Recurring shipments',
    summary: 'Skip an occurrence, or restore it',
    needs: 'ship',
    params: OccurrenceParams,
    body: Type.Object({ skipped: Type.Boolean() }),
    answers: { 200: RecurringAnswer },
    refusals: ['RECURRING_ENDED', 'OCCURRENCE_CREATED'],
    findsOne: true,
  },
});
