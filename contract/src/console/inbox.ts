import Type, { type Static } from 'typebox';
import { Closed, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { defineConsoleEndpoints } from './endpoint.ts';
import { INBOX_KINDS, type InboxKind } from './inbox-kinds.ts';
import { INBOX_PAGE, MOST_INBOX_ENTRIES } from './limits.ts';

const KINDS = Object.keys(INBOX_KINDS) as [InboxKind, ...InboxKind[]];
const STATES = ['open', 'taken', 'snoozed', 'resolved'] as const;
const SUBJECTS = ['shipment', 'driver', 'webhook', 'message', 'account', 'approval', 'zone', 'system'] as const;

const Person = Closed({ id: Id('The staff member.'), name: Type.String() }, { title: 'StaffName' });

const InboxEntry = Closed(
  {
    key: Type.String({
      description: 'Kind and subject: the same as long as the fact is the same.',
      examples: ['no_driver:01936f2e-8c1a-7d3e-9b1f-5c2a7e4d8f60'],
    }),
    kind: OneOf(KINDS),
    since: Instant({ description: 'When it began to need a person.' }),
    subject: Closed({
      type: OneOf(SUBJECTS),
      id: Type.String(),
      title: Type.String({ description: 'Reference, name or address, for people.' }),
      version: Nullable(
        Type.String({ description: 'Of a shipment: send it with an act, which a later change then refuses.' }),
      ),
    }),
    account: Nullable(Closed({ id: Id('The account.'), name: Type.String() })),
    facts: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Null()]), {
      description: 'Why, as values that the app puts into words: minutes late, the driver, the last error.',
    }),
    state: OneOf(STATES),
    takenBy: Nullable(Person),
    snoozedUntil: Nullable(Instant()),
    note: Nullable(Type.String()),
    version: Type.Integer({ description: 'Send it with a change: somebody may have changed the entry meanwhile.' }),
  },
  { title: 'InboxEntry' },
);
export type InboxEntry = Static<typeof InboxEntry>;

const InboxChange = Type.Object({
  change: OneOf(['take', 'release', 'snooze', 'resolve', 'reopen'] as const),
  version: Type.Integer({ minimum: 0 }),
  until: Type.Optional(Instant({ description: 'With `snooze`: at most seven days from now.' })),
  note: Type.Optional(Text({ maxLength: 500 })),
});
export type InboxChange = Static<typeof InboxChange>;

export const inboxEndpoints = defineConsoleEndpoints({
  listInbox: {
    section: 'Inbox',
    summary: 'List what needs a person now, most urgent first',
    description:
      'Computed from facts at the time of the request: an entry whose fact has ended is gone. Snoozed and resolved entries are listed on request.',
    query: Type.Object({
      kind: Type.Optional(OneOf(KINDS)),
      state: Type.Optional(OneOf(['open', 'taken', 'snoozed', 'resolved', 'mine'] as const)),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_INBOX_ENTRIES, default: INBOX_PAGE })),
      fresh: Type.Optional(
        Type.Boolean({
          description:
            'After an act of one’s own. Without it the list may be as old as `INBOX_SHARED_MS`, and is shared by all consoles.',
        }),
      ),
    }),
    answers: {
      200: Closed({
        success: Success,
        at: Instant(),
        entries: Type.Array(InboxEntry),
        keys: Type.Array(Type.String(), {
          description: 'Keys of all entries of the list, in its order: an entry that is not among them has ended.',
        }),
        counts: Type.Record(Type.String(), Type.Integer(), {
          description: 'Open and taken entries by kind, without the filters. At most 500 of a kind are read.',
        }),
      }),
    },
    needs: 'read',
  },
  changeInboxEntry: {
    section: 'Inbox',
    summary: 'Take, release, snooze, resolve or reopen an entry',
    description: 'Needs the permission of the entry’s next act: others may see it, but not take it off the list.',
    params: Type.Object({ key: Type.String({ minLength: 1, maxLength: 200 }) }),
    body: InboxChange,
    answers: { 200: Closed({ success: Success, entry: InboxEntry }) },
    refusals: ['CHANGED_MEANWHILE'],
    needs: 'read',
    findsOne: true,
  },
});
