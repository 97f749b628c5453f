import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';

/** A staff member, a user of the command line with the host, or an unauthenticated person. */
export type OperatorActor = StaffActor | { kind: 'cli'; name: string } | { kind: 'unknown' };

export interface StaffActor {
  kind: 'staff';
  id: string;
  name: string;
}

export type ActDetails = Record<string, string | number | boolean | null>;

export interface ActSubject {
  type: string;
  id: string;
  /** For people: a reference, the name of an account. Never a recipient's name or address. */
  title: string;
}

export interface NewOperatorAct {
  /** Subject and past tense, such as `shipment.assigned`. */
  act: `${string}.${string}`;
  subject?: ActSubject | undefined;
  reason?: string | null | undefined;
  /** Never a secret or a recipient's data: the log is kept. */
  details?: ActDetails | undefined;
}

/** An entry as its hash covers it. `at` has microseconds, as PostgreSQL stores them. */
export interface ChainedAct {
  number: number;
  at: string;
  actorKind: string;
  staffId: string | null;
  actor: string;
  act: string;
  subjectType: string | null;
  subjectId: string | null;
  subjectTitle: string | null;
  reason: string | null;
  details: ActDetails;
}

/**
 * SHA-256 over the previous hash, in hexadecimal, a line feed, and the fields as a JSON array in the order below. The keys
 * of `details` are sorted, since PostgreSQL does not keep their order.
 */
export function hashOfAct(previousHash: Buffer, entry: ChainedAct): Buffer {
  const { number, at, actorKind, staffId, actor, act, subjectType, subjectId, subjectTitle, reason } = entry;
  const details = Object.entries(entry.details).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const fields = [number, at, actorKind, staffId, actor, act, subjectType, subjectId, subjectTitle, reason, details];
  return Buffer.from(hash('sha256', `${previousHash.toString('hex')}\n${JSON.stringify(fields)}`, 'hex'), 'hex');
}

export const nameOfActor = (actor: OperatorActor): string => (actor.kind === 'unknown' ? '' : actor.name);

/**
 * Appends to the log, in the transaction of the act. Call it last: it locks the end of the chain until the commit, and a
 * transaction that waits for another lock while it holds this one would stop everybody, or deadlock.
 */
export async function recordOperatorAct(
  tx: Tx,
  actor: OperatorActor,
  { act, subject, reason = null, details = {} }: NewOperatorAct,
  now: Date,
): Promise<number> {
  const head = await tx
    .selectFrom('operator_act_head')
    .select(['number', 'hash'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  const entry: ChainedAct = {
    number: head.number + 1,
    at: `${now.toISOString().slice(0, -1)}000Z`,
    actorKind: actor.kind,
    staffId: actor.kind === 'staff' ? actor.id : null,
    actor: nameOfActor(actor),
    act,
    subjectType: subject?.type ?? null,
    subjectId: subject?.id ?? null,
    subjectTitle: subject?.title ?? null,
    reason,
    details,
  };
  const entryHash = hashOfAct(head.hash, entry);
  await sql`
    with moved as (update operator_act_head set number = ${entry.number}, hash = ${entryHash})
    insert into operator_acts (number, at, actor_kind, staff_id, actor, act, subject_type, subject_id, subject_title,
      reason, details, hash)
    values (${entry.number}, ${now}, ${entry.actorKind}, ${entry.staffId}, ${entry.actor}, ${entry.act},
      ${entry.subjectType}, ${entry.subjectId}, ${entry.subjectTitle}, ${entry.reason},
      ${JSON.stringify(entry.details)}::jsonb, ${entryHash})`.execute(tx);
  return entry.number;
}
