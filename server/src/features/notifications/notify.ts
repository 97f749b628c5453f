import { randomUUIDv7 } from 'node:crypto';
import { MAILED_ON_REQUEST, NOTIFICATION_KINDS, type NotificationKind } from '@navette/contract';
import { sql } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { sendMemberMailJob } from '../../jobs/definitions.ts';

export interface Cause {
  kind: NotificationKind;
  /** Distinguishes this cause from all others of its kind: notified once. */
  once: string;
  /** Shown in the app. */
  title: string | null;
  /** Id of the page that it leads to. */
  target: string | null;
  /** Subject of the mail, if that is not the target. */
  about?: string;
}

/**
 * Tells the members of an account whom it concerns, each as they chose: in the app, by mail, or not at all. Rows and jobs
 * commit with the caller's transaction; the unique key of member and cause keeps a repeated call from telling anybody twice.
 * A member who chose neither has a row as well, so that jobs which look for missing ones end.
 */
export async function notify(
  tx: Tx,
  jobs: JobSender,
  accountId: string,
  { kind, once, title, target, about }: Cause,
  now: Date,
): Promise<void> {
  const mailed = !MAILED_ON_REQUEST.includes(kind);
  const { rows: members } = await sql<{ id: string; byApp: boolean; byMail: boolean }>`
    select m.id, coalesce(c.by_app, true) as "byApp", coalesce(c.by_mail, ${mailed}) as "byMail"
    from members m left join notification_choices c on c.member_id = m.id and c.kind = ${kind}
    where m.account_id = ${accountId} and m.role = any(${NOTIFICATION_KINDS[kind]}::text[])
    order by m.id for key share of m`.execute(tx);
  if (members.length === 0) return;
  const written = await tx
    .insertInto('notifications')
    .values(
      members.map(({ id, byApp }) => ({
        ...{ account_id: accountId, member_id: id, id: randomUUIDv7(), kind, once: `${kind} ${once}` },
        ...{ title, target, in_app: byApp, created_at: now },
      })),
    )
    .onConflict((conflict) => conflict.columns(['member_id', 'once']).doNothing())
    .returning('member_id')
    .execute();
  const isNew = new Set(written.map(({ member_id }) => member_id));
  await jobs.sendAll(
    tx,
    sendMemberMailJob,
    members
      .filter(({ id, byMail }) => byMail && isNew.has(id))
      .map(({ id }) => ({ payload: { kind, id, ...mailSubject(about ?? target) } })),
  );
}

const mailSubject = (about: string | null) => (about ? { about } : {});
