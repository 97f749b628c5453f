import type { AuditFinding } from '../../audit/find-broken-rows.ts';
import type { Database } from '../../database/database.ts';
import { hashOfAct } from './operator-log.ts';
import { type ActRow, readActPages } from './read-acts.ts';

const MAX_EXAMPLES = 20;
const NOTHING = Buffer.alloc(32);

/** Numbers of entries. */
export interface ActRange {
  first: number;
  last: number;
}

const ALL: ActRange = { first: 1, last: Number.POSITIVE_INFINITY };

/**
 * Recomputes the chain of the log of acts, or of a part of it, and names each entry that was changed, removed or inserted. A part
 * begins with the hash of the entry before it; the first one has all that comes before, and the last one all that follows.
 */
export async function auditOperatorActs(db: Database, { first, last: end } = ALL): Promise<AuditFinding[]> {
  // Read first: entries that are added meanwhile come after it.
  const head = await db.selectFrom('operator_act_head').select(['number', 'hash']).executeTakeFirst();
  const isLastPart = !head || head.number <= end;
  const problems: string[] = [];
  let last: Head = first === 1 ? { number: 0, hash: NOTHING } : await readEntry(db, first - 1);
  let hashAtHead: Buffer | null = head?.number === 0 ? NOTHING : null;
  for await (const page of readActPages(db, {
    ...(first > 1 ? { after: first - 1 } : {}),
    ...(isLastPart ? {} : { upTo: end }),
  })) {
    for (const entry of page) {
      const problem = problemOf(last, entry);
      if (problem) problems.push(problem);
      if (entry.number === head?.number) hashAtHead = entry.hash;
      if (entry.number > 0) last = entry;
    }
  }
  if (isLastPart) problems.push(...problemsOfEnd(await readHead(db), head ?? null, last, hashAtHead));
  else if (last.number < end) problems.push(missing(last.number + 1, end));
  return [
    {
      invariant: 'the log of acts is complete, and no entry was changed, removed or inserted',
      broken: problems.length,
      examples: problems.slice(0, MAX_EXAMPLES),
    },
  ];
}

type Head = Pick<ActRow, 'number' | 'hash'>;

/** When it was removed, the part that it belongs to says so, and the entry after it does not fit. */
async function readEntry(db: Database, number: number): Promise<Head> {
  const entry = await db.selectFrom('operator_acts').select('hash').where('number', '=', number).executeTakeFirst();
  return { number, hash: entry?.hash ?? NOTHING };
}

const readHead = (db: Database): Promise<Head | undefined> =>
  db.selectFrom('operator_act_head').select(['number', 'hash']).executeTakeFirst();

function problemOf(previous: Head, entry: ActRow): string | null {
  const { number } = entry;
  if (number < 1) return `entry ${number} was inserted: the first one is 1`;
  if (number > previous.number + 1) return missing(previous.number + 1, number - 1);
  if (hashOfAct(previous.hash, entry).equals(entry.hash)) return null;
  return `entry ${number} was changed, or entry ${number - 1} was replaced`;
}

const missing = (from: number, to: number) =>
  from === to ? `entry ${from} was removed` : `entries ${from} to ${to} were removed`;

/** `before` was read before the entries and `now` after them: the end of the log may have moved meanwhile. */
function problemsOfEnd(now: Head | undefined, before: Head | null, last: Head, hashAtHead: Buffer | null): string[] {
  if (!now || !before) return ['the end of the log is not recorded'];
  if (last.number < before.number) return [missing(last.number + 1, before.number)];
  if (last.number > now.number) {
    const inserted =
      now.number + 1 === last.number ? `entry ${last.number} was` : `entries ${now.number + 1} to ${last.number} were`;
    return [`${inserted} inserted: the log ends with entry ${now.number}`];
  }
  if (hashAtHead && !hashAtHead.equals(before.hash)) return [`the last entry, ${before.number}, was replaced`];
  return [];
}
