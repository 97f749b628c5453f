import type { ShipmentStatus } from '@navette/contract';
import { type CommonTableExpression, type QueryCreator, type SelectCallback, sql, type UpdateObject } from 'kysely';
import type { Tx } from '../../database/database.ts';
import type { DB } from '../../database/tables.ts';
import { type Resolution, updateOpenIncident } from '../incidents/index.ts';

/** The new values of a shipment whose lock is held, and what changes with them. */
export interface StatusWrite {
  accountId: string;
  shipmentId: string;
  from: ShipmentStatus;
  to: ShipmentStatus;
  columns: UpdateObject<DB, 'shipments'>;
  event: { id: string; type: string; body: string; at: Date } | null;
  /** Counted for its day. */
  delivery: { day: string; isOnTime: boolean } | null;
  /** How the open incident ends, if there is one. */
  incident: Resolution | null;
  /** Columns of the shipment to return after the change. Other tables are read as they were before the statement. */
  returning: SelectCallback<DB, 'shipments'> | null;
}

/**
 * Writes shipment, counters and event in one statement, and returns the shipment's row. Lock order everywhere: the
 * shipment, then the account's counters, then the count of the day. The counters stay locked until the commit, so the
 * events of an account become visible in the order of their positions in the feed.
 */
export async function writeStatus(tx: Tx, write: StatusWrite): Promise<object | null> {
  const { from, to, event } = write;
  if (!event && from === to) return readMoved(withShipment(tx, write), null); // no count moves: no counters to lock
  const counting = also(withShipment(tx, write), 'counted', (query) => moveCounts(query, write));
  if (!event) return readMoved(counting, 'counted');
  return readMoved(
    also(counting, 'announced', (query) => insertEvent(query, write, event)),
    'announced',
  );
}

/**
 * The main part of the statement. PostgreSQL runs `last`, which locks the counters, because it is read here; the parts that
 * nothing reads run afterwards.
 */
async function readMoved(query: QueryCreator<DB>, last: 'counted' | 'announced' | null): Promise<object | null> {
  const written = last ? sql<number>`(select count(*)::int from ${sql.table(last)})` : sql<number>`1`;
  const row = await query
    .selectFrom(sql<object>`moved`.as('m'))
    .selectAll('m')
    .select(written.as('is_written'))
    .executeTakeFirst();
  if (row && row.is_written !== 1) throw new Error('the account has no counters');
  return row ?? null;
}

function withShipment(tx: Tx, write: StatusWrite): QueryCreator<DB> {
  const { accountId, shipmentId, columns, delivery, incident, returning } = write;
  let query = also(tx, 'moved', (creator) => {
    const update = creator.updateTable('shipments').set(columns);
    const moved = update.where('account_id', '=', accountId).where('id', '=', shipmentId);
    return returning ? moved.returning(returning) : moved.returning('shipments.id');
  });
  if (incident) query = also(query, 'ended', (creator) => updateOpenIncident(creator, accountId, shipmentId, incident));
  if (delivery) query = also(query, 'dated', (creator) => countDelivery(creator, accountId, delivery));
  return query;
}

/** Adds a part to the statement, without its type: the tables' types stay as they are. */
const also = (query: QueryCreator<DB>, name: string, part: CommonTableExpression<DB, string>) =>
  query.with(name, part) as unknown as QueryCreator<DB>;

const moveCounts = (query: QueryCreator<DB>, { accountId, from, to, event }: StatusWrite) =>
  query
    .updateTable('account_counters')
    .set({
      ...(from === to ? {} : { [from]: sql`${sql.ref(from)} - 1`, [to]: sql`${sql.ref(to)} + 1` }),
      ...(event ? { last_event: sql`last_event + 1` } : {}),
    })
    .where('account_id', '=', accountId)
    .returning('last_event');

const insertEvent = (
  query: QueryCreator<DB>,
  { accountId, shipmentId }: StatusWrite,
  { id, type, body, at }: NonNullable<StatusWrite['event']>,
) =>
  query
    .insertInto('events')
    .columns(['account_id', 'id', 'shipment_id', 'type', 'body', 'created_at', 'feed_position'])
    .expression((eb) =>
      eb
        .selectFrom(sql<{ last_event: number }>`counted`.as('c'))
        .select([
          sql<string>`${accountId}::uuid`.as('account_id'),
          sql<string>`${id}::uuid`.as('id'),
          sql<string>`${shipmentId}::uuid`.as('shipment_id'),
          sql<string>`${type}`.as('type'),
          sql<string>`${body}`.as('body'),
          sql<Date>`${at}::timestamptz`.as('created_at'),
          'c.last_event',
        ]),
    )
    .returning('id');

const countDelivery = (
  query: QueryCreator<DB>,
  accountId: string,
  { day, isOnTime }: NonNullable<StatusWrite['delivery']>,
) =>
  query
    .insertInto('daily_deliveries')
    .values({ account_id: accountId, day: sql`${day}::date`, delivered: 1, on_time: isOnTime ? 1 : 0 })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'day']).doUpdateSet({
        delivered: sql`daily_deliveries.delivered + 1`,
        on_time: sql`daily_deliveries.on_time + excluded.on_time`,
      }),
    );
