import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '../../server/src/database/database.ts';
import { isForeignOrigin } from '../../server/src/http/web-authentication.ts';
import { refuseWithMessage } from '../../server/src/refusals/refusal.ts';

export interface ControlOptions {
  db: Database;
  publicUrl: string;
  reset: () => Promise<void>;
  stop: () => void;
}

/** The emulator's own routes, beside those of the service: for its command line and for test suites. */
export function serveControl(app: FastifyInstance, { db, publicUrl, reset, stop }: ControlOptions): void {
  const ownOrigin = new URL(publicUrl).origin;
  const onRequest = async ({ headers, host }: FastifyRequest) => {
    if (isForeignOrigin(headers, host, ownOrigin))
      refuseWithMessage(403, 'A page of another site cannot control the emulator.');
  };
  let resetting: Promise<void> = Promise.resolve();
  app.post('/emulator/reset', { onRequest }, async () => {
    const from = performance.now();
    resetting = resetting.catch(() => {}).then(reset); // one after the other
    await resetting;
    return { success: true, milliseconds: Math.round(performance.now() - from) };
  });
  app.post('/emulator/stop', { onRequest }, async () => {
    setImmediate(stop);
    return { success: true };
  });
  app.get('/emulator/messages', { onRequest }, async () => ({ success: true, messages: await listMessages(db) }));
}

/** SMS and e-mails that the service would have sent, oldest first. */
async function listMessages(db: Database) {
  const { rows } = await sql`
    select m.shipment_id as "shipmentId", m.kind, m.channel, m.recipient as "to", m.subject, m.body as text,
           m.created_at as "createdAt"
    from messages m order by m.created_at, m.id`.execute(db);
  return rows;
}
