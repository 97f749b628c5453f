import { INBOX_PAGE, type InboxEntry, type InboxKind } from '@navette/contract';
import { readAnyShipmentVersions } from '../dispatch/index.ts';
import { type Entry, inboxEntries } from './entries.ts';
import { type InboxStateRow, readStates, stateOf } from './inbox-states.ts';
import { type InboxContext, readAnyFacts } from './read-facts.ts';

export interface InboxFilter {
  kind?: InboxKind;
  /** Without it: open and taken ones. `mine`: taken by this staff member. */
  state?: InboxEntry['state'] | 'mine';
  limit?: number;
}

export interface StatedEntry {
  entry: Entry;
  row: InboxStateRow;
  state: InboxEntry['state'];
}

/** The entries of every account at one instant. Consoles that ask for the same list share its presentation. */
export interface InboxSnapshot {
  at: Date;
  all: StatedEntry[];
  lists: Map<string, Promise<InboxEntry[]>>;
}

export const readAnyInbox = async (context: InboxContext, now: Date): Promise<InboxSnapshot> => ({
  at: now,
  all: await readAnyEntries(context, now),
  lists: new Map(),
});

/** A list of the snapshot, most urgent first. */
export async function listAnyInbox(
  context: InboxContext,
  { all, lists }: InboxSnapshot,
  staffId: string,
  { kind, state, limit }: InboxFilter,
) {
  const filter = { kind, state, limit };
  const counts: Record<string, number> = {};
  for (const { entry, state } of all) {
    if (state === 'open' || state === 'taken') counts[entry.kind] = (counts[entry.kind] ?? 0) + 1;
  }
  const wanted = all
    .filter(({ entry }) => kind === undefined || entry.kind === kind)
    .filter((stated) => isWanted(stated, staffId, state));
  const name = JSON.stringify(state === 'mine' ? { ...filter, staffId } : filter);
  const presented = lists.get(name) ?? present(context, wanted.slice(0, limit ?? INBOX_PAGE));
  lists.set(name, presented);
  return { counts, entries: await presented, keys: wanted.map(({ entry }) => entry.key) };
}

async function readAnyEntries(context: InboxContext, now: Date): Promise<StatedEntry[]> {
  const { inbox, timeZone } = context.config;
  const entries = inboxEntries(await readAnyFacts(context, now), now, { ...inbox, timeZone });
  const rows = await readStates(
    context.db,
    entries.map(({ key }) => key),
  );
  return entries.map((entry) => {
    const row = rows.get(entry.key) ?? null;
    return { entry, row, state: stateOf(entry, row, now) };
  });
}

function isWanted({ row, state }: StatedEntry, staffId: string, wanted: InboxFilter['state']): boolean {
  if (wanted === undefined) return state === 'open' || state === 'taken';
  return wanted === 'mine' ? state === 'taken' && row?.taken_by === staffId : state === wanted;
}

/** One entry by its key; undefined when its fact has ended. */
export async function findAnyEntry(context: InboxContext, key: string, now: Date): Promise<Entry | undefined> {
  const { inbox, timeZone } = context.config;
  const entries = inboxEntries(await readAnyFacts(context, now), now, { ...inbox, timeZone });
  return entries.find((entry) => entry.key === key);
}

/** Adds the version of each shipment, which an act on it has to send. */
export async function present({ db }: InboxContext, stated: StatedEntry[]): Promise<InboxEntry[]> {
  const shipments = stated.flatMap(({ entry: { subject, account } }) =>
    subject.type === 'shipment' && account ? [{ accountId: account.id, shipmentId: subject.id }] : [],
  );
  const versions = await readAnyShipmentVersions(db, shipments);
  return stated.map(({ entry, row, state }) => ({
    ...entry,
    since: entry.since.toISOString(),
    subject: { ...entry.subject, version: versions.get(entry.subject.id) ?? null },
    state,
    takenBy: state !== 'resolved' && row?.taken_by ? { id: row.taken_by, name: row.taken_by_name ?? '' } : null,
    snoozedUntil: state === 'snoozed' ? (row?.snoozed_until?.toISOString() ?? null) : null,
    note: row?.note ?? null,
    version: row?.version ?? 0,
  }));
}
