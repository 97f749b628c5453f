import { randomUUIDv7 } from 'node:crypto';
import type { ActName } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { SignedInMember } from '../../http/member-authentication.ts';

/** A member, an API key, the operator at the command line, or an unauthenticated person. */
export type Actor =
  | MemberActor
  | { kind: 'key'; id: string; name: string | null; hint: string }
  | OperatorActor
  | { kind: 'unknown' };

export interface MemberActor {
  kind: 'member';
  id: string;
  email: string;
  name: string;
}

/** The operator, with the name of the staff member where the merchant may know it. */
interface OperatorActor {
  kind: 'operator';
  name?: string;
}

export const OPERATOR: Actor = { kind: 'operator' };
export const UNKNOWN: Actor = { kind: 'unknown' };

/** For acts outside a transaction. Inside one, `requireActor` reads the member again. */
export const actorOf = ({
  memberId,
  email,
  name,
}: Pick<SignedInMember, 'memberId' | 'email' | 'name'>): MemberActor => ({
  kind: 'member',
  id: memberId,
  email,
  name,
});

interface RecordedAct {
  act: ActName;
  /** Display text of the object of the act. Never a secret. */
  subject?: string;
  subjectId?: string;
}

/** Appends to the security log, in the transaction of the act. Copies names and addresses as they are now. */
export async function recordAct(
  tx: Tx | Database,
  accountId: string,
  actor: Actor,
  { act, subject, subjectId }: RecordedAct,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('member_acts')
    .values({
      account_id: accountId,
      id: newActId(),
      at: now,
      ...columnsOf(actor),
      act,
      subject: subject ?? null,
      subject_id: subjectId ?? null,
    })
    .execute();
}

let lastId = '';
const MILLISECOND = 13; // characters of an id that encode its time

/** Increasing within a millisecond too: one transaction may record several acts. */
function newActId(): string {
  let id = randomUUIDv7();
  while (id <= lastId && id.slice(0, MILLISECOND) === lastId.slice(0, MILLISECOND)) id = randomUUIDv7();
  lastId = id;
  return id;
}

function columnsOf(actor: Actor) {
  switch (actor.kind) {
    case 'member':
      return { member_id: actor.id, actor: actor.name, actor_email: actor.email };
    case 'key':
      return { key_id: actor.id, actor: actor.name, key_hint: actor.hint };
    case 'operator':
      return { actor: actor.name ?? null };
    case 'unknown':
      return { by_unknown: true };
  }
}

const PAGE = 50;

/** Newest first. `before` is the id of the last entry of the previous page. */
export async function listActs(db: Database, accountId: string, before: string | undefined) {
  let query = db
    .selectFrom('member_acts')
    .select(['id', 'at', 'act', 'subject', 'actor as name', 'actor_email as email'])
    .select(['member_id as memberId', 'key_id as keyId', 'key_hint as hint', 'by_unknown as byUnknown'])
    .where('account_id', '=', accountId);
  if (before !== undefined && isUuid(before)) query = query.where('id', '<', before);
  const rows = await query
    .orderBy('id', 'desc')
    .limit(PAGE + 1)
    .execute();
  const acts = rows.slice(0, PAGE);
  return { acts, nextCursor: rows.length > PAGE ? (acts.at(-1)?.id ?? null) : null };
}
