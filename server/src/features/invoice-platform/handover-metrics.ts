import { sql } from 'kysely';
import type { Registry } from 'prom-client';
import type { Database } from '../../database/database.ts';
import { createSharedGauges } from '../../observability/shared-gauges.ts';

/** Documents that the platform does not have yet, or refused. */
export function measureHandovers(registry: Registry, db: Database): void {
  const define = createSharedGauges(registry, async () => {
    const { rows } = await sql<{ waitingSeconds: number; failed: number }>`
      select (select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 from invoice_handovers
              where state = 'waiting') as "waitingSeconds",
             (select count(*) from invoice_handovers where state = 'failed') as failed`.execute(db);
    return rows[0] ?? { waitingSeconds: 0, failed: 0 };
  });
  define(
    'oldest_invoice_to_hand_over_seconds',
    'Age of the oldest invoice that waits for the certified platform',
    [],
    ({ waitingSeconds }) => [[{}, waitingSeconds]],
  );
  define('invoices_platform_refused', 'Invoices whose hand-over the platform refused', [], ({ failed }) => [
    [{}, failed],
  ]);
}
