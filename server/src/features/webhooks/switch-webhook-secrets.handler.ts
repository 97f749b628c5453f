import { sql } from 'kysely';
import { LOGS_KEPT_DAYS } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { servedHere } from '../../database/served-here.ts';
import { usingNextSecret } from './rotate-secret.ts';

/** Lets due secrets of any webhook take effect, and deletes replaced ones that no shown attempt was signed with. */
export async function switchWebhookSecrets(db: Database, now: Date): Promise<void> {
  await sql`update webhooks w set ${usingNextSecret(now)}
    where next_secret_at <= ${now} and ${servedHere('w.account_id')}`.execute(db);
  await sql`
    update webhooks w set previous_secret_key = null, previous_sealed_secret = null
    where previous_secret_key is not null and secret_changed_at < ${now}::timestamptz - make_interval(days => ${LOGS_KEPT_DAYS})
      and ${servedHere('w.account_id')}
  `.execute(db);
}
