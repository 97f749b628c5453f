import type { Database } from '../../database/database.ts';
import { COMMANDS_KEPT_DAYS } from './apply-once.ts';
import { IDLE_MS } from './driver-sessions.ts';

const RECOGNISED_FOR_MS = 60 * 86_400_000; // an expired session still proves that the driver was signed in on a device

/** Deletes ended sessions at once, expired ones when they are no longer needed to recognise a device, old commands and expired links. */
export async function purgeDriverSessions(db: Database, now: Date): Promise<void> {
  const recognisedSince = now.getTime() - RECOGNISED_FOR_MS;
  await db
    .deleteFrom('driver_sessions')
    .where((eb) =>
      eb.or([
        eb('closed_at', 'is not', null),
        eb('expires_at', '<=', new Date(recognisedSince)),
        eb('last_used_at', '<=', new Date(recognisedSince - IDLE_MS)),
      ]),
    )
    .execute();
  await db
    .deleteFrom('driver_commands')
    .where('received_at', '<', new Date(now.getTime() - COMMANDS_KEPT_DAYS * 86_400_000))
    .execute();
  await db.deleteFrom('driver_password_links').where('expires_at', '<=', now).execute();
}
