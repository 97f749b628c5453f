import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { accountTime, type TwinClock } from '../../calendar/twin-clock.ts';
import { servedHere } from '../../database/served-here.ts';
import { distanceKm } from '../../geography/distance-km.ts';
import { type CourierContext, listUnderWay, sendPosition, takeStep } from './courier.ts';
import { nextStep, secondsIn } from './courier-steps.ts';

const TICK_MS = 1_000;
const TWINS_AT_ONCE = 10; // per tick and process
const SHIPMENTS_AT_ONCE = 500; // as many as a twin has robots
const ROBOTS_AT_ONCE = 8;
const LEASE_SECONDS = 30; // after which another process continues for one that died

type UnderWay = Awaited<ReturnType<typeof listUnderWay>>[number];

interface DueCourier extends TwinClock {
  accountId: string;
  pace: string;
  secondsPerStep: number;
  leasedUntil: Date;
}

/**
 * Lets the robots of twins in mode `auto` drive. Any process of the api role takes the due twins: `next_at` is the lease.
 * Where a robot is follows from the time of the last step, so a process that dies loses nothing. Twins without shipments
 * under way cost nothing: their next search sets `next_at`.
 */
export function startAutoCouriers(context: CourierContext, log: FastifyBaseLogger) {
  let running = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = tick(context)
      .catch((error: unknown) => log.warn({ err: error }, 'robot couriers: the next tick tries again'))
      .finally(() => {
        isBusy = false;
      });
  }, TICK_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

async function tick(context: CourierContext): Promise<void> {
  const { rows } = await sql<DueCourier>`
    update test_couriers c set next_at = date_trunc('milliseconds', now()) + make_interval(secs => ${LEASE_SECONDS})
    from accounts a
    where a.id = c.account_id and c.account_id in (
      select account_id from test_couriers t where next_at <= now() and mode = 'auto' and ${servedHere('t.account_id')}
      order by next_at limit ${TWINS_AT_ONCE} for update skip locked)
    returning c.account_id as "accountId", pace, seconds_per_step as "secondsPerStep", next_at as "leasedUntil",
      a.clock_ahead_ms as "aheadMs", a.clock_held_at as "heldAt"`.execute(context.db);
  for (const courier of rows) await drive(context, courier);
}

async function drive(context: CourierContext, courier: DueCourier): Promise<void> {
  const { db } = context;
  const { accountId, leasedUntil } = courier;
  const shipments = await listUnderWay(db, accountId, SHIPMENTS_AT_ONCE);
  const left = shipments.values();
  await Promise.all(Array.from({ length: ROBOTS_AT_ONCE }, () => moveEach(context, courier, left)));
  // Unless a search woke the couriers meanwhile: then `next_at` is no longer the lease.
  const next = shipments.length > 0 ? sql`now() + make_interval(secs => ${TICK_MS / 1_000})` : sql`null`;
  await sql`
    update test_couriers set next_at = ${next}
    where account_id = ${accountId} and next_at = ${leasedUntil}::timestamptz`.execute(db);
}

/** Sends each robot's position, and does the steps whose time has come. Workers share the iterator. */
async function moveEach(context: CourierContext, courier: DueCourier, left: Iterable<UnderWay>): Promise<void> {
  for (const shipment of left) {
    const { status, pickup, delivery, updatedAt } = shipment;
    const km = pickup && delivery ? distanceKm(pickup, delivery) : 0;
    const seconds = secondsIn(status, km, courier);
    const share = (accountTime(courier, new Date()).getTime() - updatedAt.getTime()) / (seconds * 1_000);
    await sendPosition(context, shipment, share);
    const step = share >= 1 ? nextStep(shipment) : null;
    if (step) await takeStep(context, shipment, step);
  }
}
