import pg from 'pg';
import { openEngines } from '../server/src/cli/engines.ts';
import { readConfig } from '../server/src/config.ts';
import { migrateDatabase } from '../server/src/database/migrate.ts';
import { type MoveProgress, moveAccount } from '../server/src/features/account-move/index.ts';
import { installJobs } from '../server/src/jobs/boss.ts';
import { createLog } from '../server/src/observability/create-log.ts';
import { createMerchant } from '../server/test/create-merchant.ts';
import { NO_DIRECTORY } from '../server/test/no-directory.ts';
import { type PrivatePostgres, startPrivatePostgres } from '../server/test/private-postgres.ts';

const SERVER = { wal_level: 'logical', shared_buffers: '256MB', max_wal_size: '4GB' };

/**
 * Moves an account with as many rows per shipment as a delivered one leaves: four events, two messages, five search keys,
 * three offers, four deliveries with an attempt each. Between two PostgreSQL servers of this machine, which write to the disk.
 * Returns how long the account was frozen.
 */
export async function benchAccountMove(shipments: number): Promise<number> {
  const servers = [await startPrivatePostgres(SERVER), await startPrivatePostgres(SERVER)] as const;
  try {
    const [source, target] = servers;
    for (const { url } of servers) {
      await migrateDatabase(url);
      await installJobs(url);
    }
    const config = readConfig({ ...process.env, DATABASE_URL: source.url });
    const engines = openEngines(config, createLog('warn'));
    const { id: accountId } = await createMerchant(engines, { paymentMode: 'deferred' });
    await engines.close();
    await fill(source, accountId, shipments);
    const report = createTimes();
    const cell = ({ url }: PrivatePostgres, name: string) => ({ name, url });
    const { rows, frozenSeconds } = await moveAccount({
      accountId,
      source: cell(source, 'source'),
      target: cell(target, 'target'),
      directory: NO_DIRECTORY,
      wait: false,
      drainSeconds: 60,
      onProgress: (progress) => report.note(progress),
    });
    console.log(`\nAccount move: ${shipments.toLocaleString('en')} shipments, ${rows.toLocaleString('en')} rows`);
    for (const [step, seconds] of report.times()) console.log(`${step.padEnd(10)} ${seconds.toFixed(1).padStart(6)} s`);
    console.log(`frozen     ${frozenSeconds.toFixed(1).padStart(6)} s`);
    return frozenSeconds;
  } finally {
    for (const server of servers) await server.remove();
  }
}

/** Seconds from the first report of a step to the first one of the next. */
function createTimes() {
  const starts = new Map<string, number>();
  return {
    note({ step }: MoveProgress) {
      if (!starts.has(step)) starts.set(step, performance.now());
    },
    times(): [string, number][] {
      const steps = [...starts];
      return steps.slice(0, -1).map(([step, at], i) => [step, ((steps[i + 1]?.[1] ?? at) - at) / 1_000]);
    },
  };
}

async function fill({ url }: PrivatePostgres, accountId: string, many: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await fillTables(client, accountId, many);
  } finally {
    await client.end();
  }
}

async function fillTables(client: pg.Client, accountId: string, many: number): Promise<void> {
  await client.query('begin'); // ids contain now(), which must be the same for all tables
  await client.query(`
    create function made(n bigint, kind int) returns uuid language sql immutable as $$
      select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n * 20000), 12, '0') || '7' || lpad(to_hex(kind), 3, '0')
        || '8' || lpad(to_hex(n), 15, '0'))::uuid $$;
    insert into drivers (id, first_name, last_name, phone_number, available)
      select made(n, 9), 'Ana', 'Leroy', '+33612345678', false from generate_series(1, 50) n;`);
  for (const statement of ROWS) await client.query(statement, [accountId, many]);
  await client.query(
    'update account_counters set last_shipment = $2, delivered = $2, last_entry = $2, balance_cents = -850 * $2::bigint where account_id = $1',
    [accountId, many],
  );
  await client.query('drop function made');
  await client.query('commit');
  await client.query('vacuum analyze');
}

const EACH = 'from generate_series(1, $2::int) n';
const ADDRESS = `'{"recipientName":"Camille Durand","street":"8 avenue de l’Opéra","city":"Paris","postalCode":"75001","country":"France"}'`;
const ROWS = [
  `insert into shipments (account_id, id, number, reference_number, status, price_cents, weight, nature, is_collection,
     pickup_address, delivery_address, platform, metadata, driver_id, delivery_code, label_suffix, status_history,
     created_at, updated_at, delivered_at)
   select $1::uuid, made(n, 0), n, 'R' || n, 'delivered', 850, 2.5, 'Livres', false, ${ADDRESS}, ${ADDRESS}, 'api', '{}',
     made(1 + n % 50, 9), '123456', md5(n::text), '[]', now(), now(), now() ${EACH}`,
  `insert into ledger_entries (account_id, entry, kind, amount_cents, balance_after_cents, shipment_id)
   select $1::uuid, n, 'charge', -850, -850 * n, made(n, 0) ${EACH}`,
  `insert into idempotency_keys (key, account_id, shipment_id) select 'order-' || n, $1::uuid, made(n, 0) ${EACH}`,
  `insert into events (account_id, id, shipment_id, type, body, created_at, feed_position)
   select $1::uuid, made(n, 10 + k), made(n, 0), (array['shipping.created', 'shipping.assigned', 'shipping.picked_up', 'shipping.delivered'])[k],
     repeat(md5(n::text), 24), now(), n * 4 + k ${EACH}, generate_series(1, 4) k`,
  `insert into messages (account_id, id, shipment_id, kind, channel, status, recipient, body, html, created_at, sent_at)
   select $1::uuid, made(n, 20 + k), made(n, 0), (array['recipient-sms', 'recipient-email'])[k], (array['sms', 'email'])[k], 'sent',
     'camille@example.org', repeat(md5(n::text), 10), repeat(md5(n::text), 30), now(), now() ${EACH}, generate_series(1, 2) k`,
  `insert into shipment_keys (account_id, field, key, newest_first, shipment_id)
   select $1::uuid, k, md5(n::text), -n, made(n, 0)
   ${EACH}, generate_series(1, 5) k`,
  `insert into driver_searches (id, account_id, shipment_id, state, started_at, ended_at)
   select made(n, 30), $1::uuid, made(n, 0), 'assigned', now(), now() ${EACH}`,
  `insert into driver_offers (id, search_id, account_id, shipment_id, driver_id, round, wave, metres, offered_at, expires_at,
     answer, answered_at)
   select made(n, 40 + k), made(n, 30), $1::uuid, made(n, 0), made(1 + (n + k) % 50, 9), 1, k, 100, now(), now(),
     case k when 1 then 'accepted' else 'expired' end, now() ${EACH}, generate_series(1, 3) k`,
  `insert into dispatch_decisions (account_id, shipment_id, search_id, kind, at, driver_id)
   select $1::uuid, made(n, 0), made(n, 30), 'assigned', now(), made(1 + n % 50, 9) ${EACH}`,
  `insert into webhook_deliveries (account_id, event_id, webhook_id, status, attempts, recorded, settled_at)
   select $1::uuid, made(n, 10 + k), made(1, 50), 'delivered', 1, 1, now() ${EACH}, generate_series(1, 4) k`,
  `insert into webhook_attempts (account_id, event_id, webhook_id, attempt, started_at, status)
   select $1::uuid, made(n, 10 + k), made(1, 50), 1, now(), 200 ${EACH}, generate_series(1, 4) k`,
];
