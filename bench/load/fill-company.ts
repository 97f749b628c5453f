import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import pg from 'pg';
import { type CopyStreamQuery, from as copyFrom } from 'pg-copy-streams';
import { createDatabase, createPool } from '../../server/src/database/database.ts';
import { addPartitions, DAYS_AHEAD, daysAfter } from '../../server/src/database/partitions.ts';
import { countShipments } from './fill-account.ts';
import { type PastShipment, PRICE_CENTS, pastShipment, SHIPMENT_COLUMNS, timeOrderedId } from './past-shipments.ts';

const DAYS = 365;
const DAY_MS = 86_400_000;
const DRIVERS = 500;
/** Chosen by each account; so most shipments of the year hold no personal data any more. */
const RETENTION_DAYS = 90;
const EVENT_DAYS = 30;
const CODE_DAYS = 30;
const TIME_ZONE = 'Europe/Paris';
const CHUNK_BYTES = 1 << 18;
const PROGRESS = 1_000_000; // shipments

export interface CompanySize {
  shipments: number;
  accounts: number;
  /** The first account has a tenth of all shipments. The second one has this many. */
  middling: number;
}

/**
 * A year of a company: accounts of very different size, whose shipments lie in the order of their creation, with ledger and
 * events. One night's work is due: shipments to erase, bodies of events, messages and searches to end, deliveries to drop.
 * Indexes are built after the rows.
 */
export async function fillCompany(databaseUrl: string, merchantIds: string[], size: CompanySize): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const accountIds = await addAccounts(client, merchantIds, size.accounts);
    await client.query(
      `set session_replication_role = replica; set work_mem = '1GB'; set maintenance_work_mem = '2GB'`,
    );
    const drivers = await addDrivers(client);
    const rebuild = await removeIndexes(client, ['shipments', 'ledger_entries', 'events']);
    await client.query('alter table shipments set (fillfactor = 100)'); // old rows do not change any more
    await copyYear(databaseUrl, accountIds, drivers, size);
    await client.query('alter table shipments set (fillfactor = 90)'); // as the migrations do
    console.log('  counters and days');
    await countShipments(client);
    await addDays(client);
    await rebuild();
    await addDueRows(databaseUrl, client);
    console.log('  vacuum');
    await client.query('vacuum (analyze, parallel 2)');
    await client.query('checkpoint');
  } finally {
    await client.end();
  }
}

/** Copies of the first merchant's account. */
async function addAccounts(client: pg.Client, merchantIds: string[], count: number): Promise<string[]> {
  const ids = Array.from({ length: count - merchantIds.length }, () => randomUUID());
  await client.query(
    `insert into accounts
     select (json_populate_record(a, json_build_object('id', other.id, 'client_id', 'nvc_' || number))).*
     from accounts a, unnest($2::uuid[]) with ordinality as other (id, number) where a.id = $1`,
    [merchantIds[0], ids],
  );
  await client.query('insert into account_counters (account_id) select id from accounts on conflict do nothing');
  await client.query('update accounts set retention_days = $1', [RETENTION_DAYS]);
  return [...merchantIds, ...ids];
}

async function addDrivers(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query(
    `insert into drivers (id, first_name, last_name, phone_number)
     select gen_random_uuid(), 'Alex', 'Martin ' || n, '+336' || lpad(n::text, 8, '0') from generate_series(1, ${DRIVERS}) n
     returning id`,
  );
  return rows.map(({ id }) => id);
}

/** Returns a function that builds them again. */
async function removeIndexes(client: pg.Client, tables: string[]): Promise<() => Promise<void>> {
  const { rows } = await client.query(
    `select i.indrelid::regclass as "table", i.indexrelid::regclass as name, pg_get_indexdef(i.indexrelid) as definition,
       c.conname as "constraint", pg_get_constraintdef(c.oid) as condition
     from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.conrelid = i.indrelid
     where i.indrelid = any($1::regclass[]) order by c.contype = 'p' desc nulls last`,
    [tables],
  );
  for (const { table, name, constraint } of rows)
    await client.query(constraint ? `alter table ${table} drop constraint ${constraint}` : `drop index ${name}`);
  return async () => {
    for (const { table, name, definition, constraint, condition } of rows) {
      const started = performance.now();
      await client.query(constraint ? `alter table ${table} add constraint ${constraint} ${condition}` : definition);
      console.log(`  ${name} in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
    }
  };
}

/** Shipments, ledger and events, in the order of time, by three COPY at the same time. */
async function copyYear(databaseUrl: string, accountIds: string[], drivers: string[], size: CompanySize) {
  const { shipments, middling } = size;
  const numbers = new Int32Array(accountIds.length);
  const entries = new Int32Array(accountIds.length);
  const balances = new Float64Array(accountIds.length);
  const begin = Date.now() - DAYS * DAY_MS;
  const erasedBefore = Date.now() - (RETENTION_DAYS + 1) * DAY_MS; // the last day is due tonight
  const codesBefore = Date.now() - (CODE_DAYS + 1) * DAY_MS;
  const msEach = ((DAYS - 0.1) * DAY_MS) / shipments;
  const everyMiddling = Math.floor(shipments / middling);
  const toShipments = await openCopy(databaseUrl, 'shipments', SHIPMENT_COLUMNS);
  const toLedger = await openCopy(
    databaseUrl,
    'ledger_entries',
    'account_id, entry, kind, amount_cents, balance_after_cents, shipment_id, created_at, payment_mode',
  );
  const toEvents = await openCopy(
    databaseUrl,
    'events',
    'account_id, id, shipment_id, type, created_at, feed_position',
  );
  for (let i = 0; i < shipments; i++) {
    const account = chooseAccount(i, accountIds.length, everyMiddling);
    const accountId = accountIds[account] as string;
    const number = raise(numbers, account, 1);
    const at = new Date(begin + i * msEach);
    const status = statusOf(i, shipments);
    const driverId = drivers[i % drivers.length] as string;
    const isErased = at.getTime() < erasedBefore;
    const hasCode = at.getTime() >= codesBefore;
    const { id, line } = pastShipment({ accountId, number, at, status, driverId, isErased, hasCode });
    const created = at.toISOString();
    toShipments.add(line);
    for (const [kind, cents] of status === 'cancelled' ? CHARGE_AND_REFUND : CHARGE) {
      const entry = raise(entries, account, 1);
      const balance = raise(balances, account, cents);
      toLedger.add([accountId, entry, kind, cents, balance, id, created, 'deferred\n'].join('\t'));
    }
    toEvents.add([accountId, timeOrderedId(at), id, 'shipping.created', created, `${number}\n`].join('\t'));
    if (i % 1_000 === 0) await Promise.all([toShipments.flush(), toLedger.flush(), toEvents.flush()]);
    if (i % PROGRESS === 0)
      console.log(`  ${i / PROGRESS} million shipments at ${new Date().toISOString().slice(11, 19)}`);
  }
  await Promise.all([toShipments.end(), toLedger.end(), toEvents.end()]);
}

function raise(counters: Int32Array | Float64Array, index: number, by: number): number {
  const value = (counters[index] ?? 0) + by;
  counters[index] = value;
  return value;
}

const CHARGE = [['charge', -PRICE_CENTS]] as const;
const CHARGE_AND_REFUND = [...CHARGE, ['refund', PRICE_CENTS]] as const;

/** A tenth belongs to the first account; among the others, the first ones have far more than the last ones. */
function chooseAccount(i: number, accounts: number, everyMiddling: number): number {
  if (i % everyMiddling === 1) return 1;
  if (i % 10 === 0) return 0;
  return 2 + Math.floor((accounts - 2) * Math.random() ** 2);
}

/** The last thousandth is under way. */
function statusOf(i: number, shipments: number): PastShipment['status'] {
  if (i > shipments * 0.999) return 'in_transit';
  return i % 20 === 7 ? 'cancelled' : 'delivered';
}

/** An empty table that is truncated and filled by one transaction needs no log (`wal_level = minimal`). */
async function openCopy(databaseUrl: string, table: string, columns: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`set session_replication_role = replica; begin; truncate ${table}`);
  const stream: CopyStreamQuery = client.query(copyFrom(`copy ${table} (${columns}) from stdin`));
  let chunk = '';
  const flush = async () => {
    if (chunk.length < CHUNK_BYTES) return;
    const isFull = !stream.write(chunk);
    chunk = '';
    if (isFull) await once(stream, 'drain');
  };
  return {
    add(line: string) {
      chunk += line;
    },
    flush,
    async end() {
      stream.end(chunk);
      await finished(stream);
      await client.query('commit');
      await client.end();
    },
  };
}

async function addDays(client: pg.Client): Promise<void> {
  await client.query(
    `insert into daily_totals (account_id, day, shipments, amount_cents)
     select account_id, (created_at at time zone '${TIME_ZONE}')::date, count(*),
       coalesce(sum(price_cents) filter (where status <> 'cancelled'), 0)
     from shipments group by 1, 2`,
  );
  await client.query(
    `insert into daily_deliveries (account_id, day, delivered, on_time)
     select account_id, (delivered_at at time zone '${TIME_ZONE}')::date, count(*),
       count(*) filter (where (delivered_at at time zone '${TIME_ZONE}')::date <= (created_at at time zone '${TIME_ZONE}')::date)
     from shipments where status = 'delivered' group by 1, 2`,
  );
  await client.query(
    `update account_counters c set balance_cents = l.balance, last_entry = l.entries, last_event = c.last_shipment
     from (select account_id, count(*) as entries, sum(amount_cents) as balance from ledger_entries group by 1) l
     where l.account_id = c.account_id`,
  );
}

/** The work of one night, a day of each kind. Earlier nights have done the rest. */
async function addDueRows(databaseUrl: string, client: pg.Client): Promise<void> {
  const pool = createPool({ databaseUrl, size: 1 });
  const db = createDatabase(pool);
  const { rows } = await client.query(
    `select relname from pg_class where relnamespace = 'partitions'::regnamespace and relkind = 'r'`,
  );
  for (const { relname } of rows) await client.query(`drop table partitions.${relname}`);
  await addPartitions(db, daysAfter(new Date(), -EVENT_DAYS - 3), EVENT_DAYS + 3 + DAYS_AHEAD);
  await pool.end();
  const createdOn = (day: number) => {
    const since = Math.floor(Date.now() / DAY_MS) * DAY_MS - day * DAY_MS;
    const [from, to] = [since, since + DAY_MS].map((ms) => new Date(ms).toISOString());
    return `created_at >= '${from}' and created_at < '${to}'`;
  };
  const dayOfLogs = `from events where ${createdOn(EVENT_DAYS + 1)}`;
  const dayOfShipments = `from shipments s where ${createdOn(RETENTION_DAYS + 1)}`;
  for (const statement of [
    `insert into webhook_deliveries (account_id, event_id, webhook_id, status, attempts, recorded, settled_at, created_at)
     select account_id, id, account_id, 'delivered', 1, 1, created_at, created_at ${dayOfLogs}`,
    `insert into webhook_attempts (account_id, event_id, webhook_id, attempt, started_at, duration_ms, status)
     select account_id, id, account_id, 1, created_at, 20, 200 ${dayOfLogs}`,
    `insert into messages (account_id, id, shipment_id, kind, channel, status, recipient, subject, body, html, created_at, sent_at)
     select account_id, gen_random_uuid(), shipment_id, kind, case kind when 'recipient-sms' then 'sms' else 'email' end, 'sent',
       '+33612345678', 'Votre colis', repeat('Votre colis arrive. ', 8), repeat('<p>Votre colis arrive.</p>', 40), created_at, created_at
     ${dayOfLogs.replace(' where', `, unnest(array['recipient-sms', 'recipient-email', 'delivered-email']) kind where`)}`,
    `update events set body = repeat('{"status":"created"}', 50) where ${createdOn(EVENT_DAYS + 1)}`,
    `insert into event_body_cursors (account_id, position)
     select a.id, e.id from accounts a cross join lateral (
       select id from events where account_id = a.id and id < first_id_at(now() - interval '${EVENT_DAYS + 2} days')
       order by id desc limit 1) e`,
    `insert into driver_searches (id, account_id, shipment_id, state, started_at, ended_at)
     select id, account_id, id, 'assigned', created_at, created_at ${dayOfShipments}`,
    `insert into driver_offers (id, search_id, account_id, shipment_id, driver_id, round, wave, metres, offered_at, expires_at, answer, answered_at)
     select gen_random_uuid(), s.id, account_id, s.id, d.id, 1, 1, 100, created_at, created_at,
       case place when 1 then 'accepted' else 'withdrawn' end, created_at
     ${dayOfShipments.replace('s where', `s, (select id, row_number() over () as place from (select id from drivers limit 3) three) d where`)}`,
    `insert into dispatch_decisions (account_id, shipment_id, search_id, kind, at)
     select account_id, id, id, kind, created_at
     ${dayOfShipments.replace('s where', `s, unnest(array['started', 'considered']) kind where`)}`,
  ]) {
    const { rowCount } = await client.query(statement);
    console.log(`  ${rowCount} ${statement.split(/\s+/, 3).join(' ')}`);
  }
}
