import type { Role } from '@navette/contract';
import type { Tx } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { type MemberMail, sendMemberMailJob } from '../../jobs/definitions.ts';

interface Recipients {
  accountId: string;
  roles: Role[];
  /** A member who is notified whatever their role. */
  also?: string;
}

/** Mails every member of the account in these roles. One job each, so that a failed mail is retried alone. */
export async function notifyMembers(
  tx: Tx,
  jobs: JobSender,
  { accountId, roles, also }: Recipients,
  mail: Omit<MemberMail, 'id'>,
): Promise<void> {
  const members = await tx
    .selectFrom('members')
    .select('id')
    .where('account_id', '=', accountId)
    .where('role', 'in', roles)
    .execute();
  const ids = new Set([...members.map(({ id }) => id), ...(also ? [also] : [])]);
  await jobs.sendAll(
    tx,
    sendMemberMailJob,
    [...ids].map((id) => ({ payload: { ...mail, id } })),
  );
}
