import { TEST_CLOCK_MOST_DAYS, TEST_ENDPOINTS, type TestCourier } from '@navette/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { createFairQueue } from '../../concurrency/fair-queue.ts';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { bind } from '../../http/bind.ts';
import type { Caller } from '../../http/caller.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { refuseAsTooMany, refuseAsUnknown, refuseWithMessage } from '../../refusals/refusal.ts';
import type { DriverPositions } from '../drivers/index.ts';
import { addCredit, toCents } from '../ledger/index.ts';
import type { CreationContext } from '../shipments/index.ts';
import { readTestFault, resendToAllWebhooks, setTestFault } from '../webhooks/index.ts';
import { advanceUntil, doStep } from './advance.ts';
import { startAutoCouriers } from './auto-couriers.ts';
import { moveClock, readClock } from './clock.ts';
import { findTestShipment } from './courier.ts';
import { possibleSteps } from './courier-steps.ts';
import { emptyTwin } from './empty-twin.ts';

export interface TestModeOptions {
  db: Database;
  positions: DriverPositions;
  jobs: JobSender;
  config: Pick<Config, 'linkSecrets' | 'timeZone'>;
  creation: CreationContext;
  log: FastifyBaseLogger;
  now: () => Date;
}

/** Steps and deletions take seconds, with statements all the while: live accounts must not wait for them. */
const AT_ONCE = 8;
const MOST_TWINS_WAITING = 200;
const MOST_WAITING_PER_TWIN = 50;

const DEFAULT_COURIER: TestCourier = { mode: 'manual', pace: 'fast', secondsPerStep: 5 };

/** The endpoints under `/test`. For a live key they do not exist. */
export function serveTestMode(
  app: FastifyInstance,
  { db, positions, jobs, config, creation, log, now }: TestModeOptions,
): void {
  const context = { app, db, jobs, config };
  const couriers = startAutoCouriers(context, log);
  app.addHook('onClose', () => couriers.stop());
  const limits = { maxRunning: AT_ONCE, maxCallers: MOST_TWINS_WAITING, maxPerCaller: MOST_WAITING_PER_TWIN };
  const inTurn = createFairQueue({ ...limits, refuse: () => refuseAsTooMany('minute') });
  const clocksInTurn = createFairQueue({ ...limits, refuse: () => refuseAsTooMany('minute') });

  const twinOf = ({ isTest, accountId }: Caller): string => (isTest ? accountId : refuseAsUnknown());

  const describe = async (twinId: string, id: string) => {
    const shipment = (await findTestShipment(db, twinId, id)) ?? refuseAsUnknown();
    const { status, driverId } = shipment;
    const place = driverId ? await positions.find(driverId).catch(() => null) : null;
    const courier = driverId && {
      id: driverId,
      latitude: place?.latitude ?? null,
      longitude: place?.longitude ?? null,
    };
    return { status, steps: possibleSteps(shipment), courier: courier || null };
  };
  const refused = async (twinId: string, id: string) => {
    const { status, steps } = await describe(twinId, id);
    const message = `Étape impossible en statut « ${status} ». Étapes possibles : ${steps.join(', ') || 'aucune'}.`;
    return { success: false as const, message, status, steps };
  };

  bind(app, TEST_ENDPOINTS.readTestShipment, async ({ caller, params, answer }) =>
    answer(200, { success: true, ...(await describe(twinOf(caller), params.id)) }),
  );

  bind(app, TEST_ENDPOINTS.takeTestStep, async ({ caller, params, body, answer }) => {
    const twin = twinOf(caller);
    await describe(twin, params.id);
    const isDone = await inTurn(twin, () => doStep(context, twin, params.id, body.step));
    if (!isDone) return answer(409, await refused(twin, params.id));
    return answer(200, { success: true, ...(await describe(twin, params.id)) });
  });

  bind(app, TEST_ENDPOINTS.advanceTestShipment, async ({ caller, params, body, answer }) => {
    const twin = twinOf(caller);
    await describe(twin, params.id);
    const isThere = await inTurn(twin, () => advanceUntil(context, twin, params.id, body.status));
    if (!isThere) return answer(409, await refused(twin, params.id));
    return answer(200, { success: true, ...(await describe(twin, params.id)) });
  });

  bind(app, TEST_ENDPOINTS.readTestCourier, async ({ caller, answer }) =>
    answer(200, { success: true, courier: await readCourier(db, twinOf(caller)) }),
  );

  bind(app, TEST_ENDPOINTS.setTestCourier, async ({ caller, body, answer }) => {
    const twin = twinOf(caller);
    const { mode, pace, secondsPerStep } = { ...(await readCourier(db, twin)), ...body };
    const next = mode === 'auto' ? now() : null;
    const row = { mode, pace, seconds_per_step: secondsPerStep, next_at: next };
    await db
      .insertInto('test_couriers')
      .values({ account_id: twin, ...row })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
      .execute();
    return answer(200, { success: true, courier: { mode, pace, secondsPerStep } });
  });

  bind(app, TEST_ENDPOINTS.readTestWebhook, async ({ caller, params, answer }) => {
    const fault = (await readTestFault(db, twinOf(caller), params.id)) ?? refuseAsUnknown();
    return answer(200, { success: true, webhook: { _id: params.id, fault } });
  });

  bind(app, TEST_ENDPOINTS.setTestWebhook, async ({ caller, params, body: { fault }, answer }) => {
    if (!(await setTestFault(db, twinOf(caller), params.id, fault))) refuseAsUnknown();
    return answer(200, { success: true, webhook: { _id: params.id, fault } });
  });

  bind(app, TEST_ENDPOINTS.resendTestEvent, async ({ caller, params, answer }) => {
    const webhooks = (await resendToAllWebhooks({ db, jobs }, twinOf(caller), params.id, now())) ?? refuseAsUnknown();
    return answer(200, { success: true, webhooks });
  });

  bind(app, TEST_ENDPOINTS.readTestClock, async ({ caller, answer }) =>
    answer(200, { success: true, clock: await readClock({ db, now }, twinOf(caller)) }),
  );

  bind(app, TEST_ENDPOINTS.moveTestClock, async ({ caller, body, answer }) => {
    const twin = twinOf(caller);
    const to = new Date(body.to);
    const outcome = await clocksInTurn(twin, () => moveClock({ db, jobs, config, creation, now }, twin, to));
    if (outcome === 'too far') {
      refuseWithMessage(400, `L’horloge peut avancer de ${TEST_CLOCK_MOST_DAYS} jours au plus.`);
    }
    const clock = await readClock({ db, now }, twin);
    const message = `L’horloge du compte de test n’avance que vers l’avenir : il est ${clock.now}.`;
    if (outcome === 'past') return answer(409, { success: false, message, clock });
    if (outcome === 'reached') return answer(200, { success: true, clock });
    return answer(202, { success: true, clock: { ...clock, movingTo: to.toISOString() } });
  });

  bind(app, TEST_ENDPOINTS.setTestAccount, async ({ caller, body, answer }) => {
    await setTestAccount(db, twinOf(caller), body);
    return answer(200, { success: true });
  });

  bind(app, TEST_ENDPOINTS.emptyTestAccount, async ({ caller, answer }) => {
    const twin = twinOf(caller);
    const deleted = (await inTurn(twin, () => emptyTwin(db, twin, now()))) ?? refuseAsUnknown();
    return answer(200, { success: true, deleted });
  });
}

async function readCourier(db: Database, twinId: string): Promise<TestCourier> {
  const row = await db.selectFrom('test_couriers').selectAll().where('account_id', '=', twinId).executeTakeFirst();
  if (!row) return DEFAULT_COURIER;
  const { mode, pace, seconds_per_step: secondsPerStep } = row;
  return { mode: mode as TestCourier['mode'], pace: pace as TestCourier['pace'], secondsPerStep };
}

type AccountChange = { balance?: number; paymentStatus?: string; requestsPerMinute?: number };

/** The balance changes by an entry of the ledger, as every balance. */
async function setTestAccount(db: Database, twinId: string, change: AccountChange): Promise<void> {
  const { balance, paymentStatus, requestsPerMinute } = change;
  await db.transaction().execute(async (tx) => {
    const { balance_cents: current } = await tx
      .selectFrom('account_counters')
      .select('balance_cents')
      .where('account_id', '=', twinId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    const missing = balance === undefined ? 0 : (toCents(balance) ?? current) - current;
    if (missing !== 0) await addCredit(tx, twinId, missing, 'test mode');
    await tx
      .updateTable('accounts')
      .set({
        updated_at: new Date(),
        ...(paymentStatus === undefined ? {} : { payment_status: paymentStatus }),
        ...(requestsPerMinute === undefined ? {} : { limit_per_minute: requestsPerMinute }),
      })
      .where('id', '=', twinId)
      .execute();
  });
}
