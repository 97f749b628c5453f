import { sql } from 'kysely';
import type { Database } from '../../database/database.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { searchDriverJob, type ZonePayload } from '../../jobs/definitions.ts';
import type { SearchContext } from './assign-nearest.ts';
import { holdSearch } from './hold-search.ts';
import { lockActiveSearch, lockShipment } from './searches.ts';
import { findZonesOver, listAnyToHold, lockZonesForStep } from './zones.ts';

const BATCH = 100;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * After a zone was created: lets the searches in it wait. After it was lifted: lets them go on. Idempotent: a repeated run
 * finds only those that are left.
 */
export async function applyZone(
  context: SearchContext & { db: Database },
  { zoneId }: ZonePayload,
  now: () => Date,
): Promise<void> {
  const { db, jobs } = context;
  const zone = await db
    .selectFrom('zones')
    .select(['id', sql<string>`area::text`.as('area'), 'lifted_at', 'ends_at'])
    .where('id', '=', zoneId)
    .executeTakeFirst();
  if (!zone) return;
  if (zone.lifted_at) return resumeSearches(db, jobs, zoneId);
  let after = FIRST;
  for (;;) {
    const found = await listAnyToHold(db, zone, { after, limit: BATCH });
    for (const { accountId, shipmentId } of found) {
      await db.transaction().execute(async (tx) => {
        const shipment = await lockShipment(tx, accountId, shipmentId);
        const search = await lockActiveSearch(tx, accountId, shipmentId);
        if (shipment?.status !== 'created' || !search) return;
        await lockZonesForStep(tx);
        const step = { wanted: { accountId, shipmentId }, now: now(), aheadMs: 0 };
        const over = (await findZonesOver(tx, [step]))(shipmentId);
        if (over && search.zoneId !== over.id) await holdSearch(tx, context, search, over, step);
      });
    }
    const last = found.at(-1);
    if (!last || found.length < BATCH) return;
    after = last.shipmentId;
  }
}

/** Each search takes its next step, which finds no zone, or waits for another one. */
async function resumeSearches(db: Database, jobs: JobSender, zoneId: string): Promise<void> {
  let after = FIRST;
  for (;;) {
    const waiting = await db
      .selectFrom('driver_searches')
      .select(['id', 'account_id as accountId', 'shipment_id as shipmentId'])
      .where('zone_id', '=', zoneId)
      .where('ended_at', 'is', null)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    const last = waiting.at(-1);
    if (!last) return;
    await db.transaction().execute((tx) =>
      jobs.sendAll(
        tx,
        searchDriverJob,
        waiting.map(({ accountId, shipmentId }) => ({ payload: { accountId, shipmentId } })),
      ),
    );
    after = last.id;
  }
}
