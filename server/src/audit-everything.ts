import type { Database } from './database/database.ts';
import { auditDispatch } from './features/dispatch/index.ts';
import { auditMessages } from './features/messages/index.ts';
import { auditShipments } from './features/shipments/index.ts';
import { auditWebhooks } from './features/webhooks/index.ts';
import type { AuditFinding } from './find-broken-rows.ts';

/** Every invariant of every feature, recomputed from the rows. */
export async function auditEverything(db: Database, timeZone: string): Promise<AuditFinding[]> {
  return [
    ...(await auditShipments(db, timeZone)),
    ...(await auditDispatch(db)),
    ...(await auditWebhooks(db)),
    ...(await auditMessages(db)),
  ];
}
