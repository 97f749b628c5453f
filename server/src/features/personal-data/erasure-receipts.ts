import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import { verifyPassword } from '../../secrets/hash-password.ts';
import type { Subject } from './subject.ts';

/** Receipts, newest first; with a subject, only its own. The subject is stored as a hash only. */
export async function listReceipts(db: Database, subject: Subject | null) {
  const rows = await db
    .selectFrom('erasure_receipts as r')
    .select(['r.id', 'r.at', 'r.subject_kind', 'r.subject_hash', 'r.reason', 'r.system_user', 'r.counts'])
    .select(sql<number>`(select count(*) from erasure_requests q where q.receipt_id = r.id)`.as('waiting'))
    .orderBy('r.at', 'desc')
    .execute();
  const wanted: typeof rows = [];
  for (const row of rows) {
    const isAbout =
      !subject || (row.subject_kind === subject.kind && (await verifyPassword(subject.value, row.subject_hash)));
    if (isAbout) wanted.push(row);
  }
  return wanted.map(({ subject_kind: by, subject_hash: _hash, system_user: systemUser, ...row }) => ({
    ...row,
    by,
    systemUser,
  }));
}
