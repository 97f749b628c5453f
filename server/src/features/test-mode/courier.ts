import { randomInt, randomUUID } from 'node:crypto';
import {
  DRIVER_BASE_PATH,
  DRIVER_ENDPOINTS,
  type DriverEndpointName,
  MAX_WRONG_DELIVERY_CODES,
  type ShipmentStatus,
  TEST_NAMES,
  type TestStep,
} from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/database.ts';
import { isUuid } from '../../database/uuid.ts';
import type { JobSender } from '../../jobs/boss.ts';
import { activateShipmentJob, searchDriverJob } from '../../jobs/definitions.ts';
import { isTestName } from '../../text/test-name.ts';
import { readAccountTime } from '../accounts/index.ts';
import { issueToken } from '../drivers/index.ts';
import { signReference } from '../shipments/index.ts';
import { positionIn } from './courier-steps.ts';

export interface CourierContext {
  /** The api role, whose driver API the robots use. */
  app: FastifyInstance;
  db: Database;
  jobs: JobSender;
  config: Pick<Config, 'linkSecrets'>;
}

interface Point {
  latitude: number;
  longitude: number;
}

export interface TestShipment {
  accountId: string;
  id: string;
  status: ShipmentStatus;
  wrongCodes: number;
  returned: boolean;
  driverId: string | null;
  updatedAt: Date;
  pickup: Point | null;
  delivery: Point | null;
}

interface CourierShipment extends TestShipment {
  reference: string;
  code: string | null;
  isCollection: boolean;
  recipient: string;
}

const COLUMNS = sql`s.account_id as "accountId", s.id, s.status, s.wrong_delivery_codes as "wrongCodes",
  s.returned_at is not null as returned, s.driver_id as "driverId", s.updated_at as "updatedAt",
  s.reference_number as reference, s.delivery_code as code, s.is_collection as "isCollection",
  s.delivery_address->>'recipientName' as recipient, s.delivery_address->'coordinates' as delivery,
  case when s.pickup_address->>'location' is not null then json_build_object(
    'latitude', s.pickup_address->'location'->'coordinates'->1,
    'longitude', s.pickup_address->'location'->'coordinates'->0) end as pickup`;

/** A shipment of a test twin; null when it is unknown, or not of a twin. */
export async function findTestShipment(db: Database, twinId: string, id: string): Promise<CourierShipment | null> {
  if (!isUuid(id)) return null;
  const { rows } = await sql<CourierShipment>`
    select ${COLUMNS} from shipments s join accounts a on a.id = s.account_id and a.live_account_id is not null
    where s.account_id = ${twinId} and s.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Shipments of the twin that a courier can move, oldest first. */
export async function listUnderWay(db: Database, twinId: string, limit: number): Promise<CourierShipment[]> {
  const { rows } = await sql<CourierShipment>`
    select ${COLUMNS} from shipments s
    where s.account_id = ${twinId} and s.status in ('created', 'assigned', 'picked_up', 'in_transit')
      and s.returned_at is null
    order by s.updated_at limit ${limit}`.execute(db);
  return rows;
}

const tokens = new LRUCache<string, string>({ max: 5_000, ttl: 24 * 3_600_000 }); // of robots, by driver id

/** Sends a command of the driver app, over the same routes, authentication and validation as a phone. */
async function sendAsRobot(
  { app, db }: CourierContext,
  driverId: string,
  name: DriverEndpointName,
  { id = '', ...body }: Record<string, unknown>,
): Promise<boolean> {
  const token = tokens.get(driverId) ?? (await issueToken(db, driverId));
  if (!token) return false;
  tokens.set(driverId, token);
  const { method, path } = DRIVER_ENDPOINTS[name];
  const answer = await app.inject({
    method,
    url: `${DRIVER_BASE_PATH}${path.replace(':id', String(id))}`,
    headers: { authorization: `Bearer ${token}`, 'user-agent': 'robot courier' },
    payload: body,
  });
  if (answer.statusCode === 401) tokens.delete(driverId);
  return answer.statusCode < 300;
}

/** Sends the robot's position, at this share of the time it spends in the shipment's status. */
export async function sendPosition(context: CourierContext, shipment: TestShipment, share: number): Promise<void> {
  const { driverId, status, pickup, delivery } = shipment;
  if (!driverId || !pickup || !delivery) return;
  await sendAsRobot(context, driverId, 'sendPosition', { ...positionIn(status, share, pickup, delivery) });
}

/** Does one step; `mayHurry` allows it to start the search's next step. False when the driver API refuses it, or when the step waits for an offer. */
export async function takeStep(
  context: CourierContext,
  shipment: CourierShipment,
  step: TestStep,
  mayHurry = true,
): Promise<boolean> {
  const { id, driverId, code } = shipment;
  const send = (name: DriverEndpointName, body: object = {}) =>
    driverId ? sendAsRobot(context, driverId, name, { id, commandId: commandIdOf(shipment, name), ...body }) : false;
  switch (step) {
    case 'activate':
      await context.db
        .transaction()
        .execute((tx) => context.jobs.send(tx, activateShipmentJob, idsOf(shipment), { singletonKey: `step ${id}` }));
      return true;
    case 'accept':
    case 'refuse':
      return answerOffer(context, shipment, step === 'accept' ? 'acceptOffer' : 'refuseOffer', mayHurry);
    case 'abandon':
      return send('abandon', { reason: 'test' });
    case 'pick_up':
      return send('pickUp', shipment.isCollection ? { pickupToken: pickupTokenOf(context, shipment) } : {});
    case 'depart':
      return send('depart');
    case 'deliver':
      if (isTestName(shipment.recipient, TEST_NAMES.lockedCode)) return lockCode(send, shipment);
      return send('deliver', { deliveryCode: code ?? '' });
    case 'wrong_code':
      await send('deliver', { commandId: randomUUID(), deliveryCode: wrongCodeFor(code) });
      return true; // the refusal is the purpose
    case 'report_incident':
      return send('reportIncident', { commandId: randomUUID(), kind: 'recipient_absent' });
  }
}

/**
 * The same for all processes that see the shipment in this state. Two of them may drive the same robots, when a lease has
 * ended or a search has woken them: the driver API applies an id once.
 */
const commandIdOf = ({ id, updatedAt }: TestShipment, name: DriverEndpointName): string =>
  `${name}-${id}-${updatedAt.getTime()}`;

const idsOf = ({ accountId, id: shipmentId }: TestShipment) => ({ accountId, shipmentId });

const pickupTokenOf = ({ config }: CourierContext, { reference }: CourierShipment) =>
  signReference(config.linkSecrets, 'pick-up', reference);

/** Types wrong codes until the driver API locks the code. */
async function lockCode(
  send: (name: DriverEndpointName, body: object) => Promise<boolean> | boolean,
  { wrongCodes, code }: CourierShipment,
): Promise<boolean> {
  for (let typed = wrongCodes; typed < MAX_WRONG_DELIVERY_CODES; typed++) {
    await send('deliver', { commandId: randomUUID(), deliveryCode: wrongCodeFor(code) });
  }
  return true;
}

function wrongCodeFor(code: string | null): string {
  const wrong = String(randomInt(1_000_000)).padStart(6, '0');
  return wrong === code ? wrongCodeFor(code) : wrong;
}

/** Answers an open offer as the robot that has it. Without one, the search's next step runs now instead of later. */
async function answerOffer(
  context: CourierContext,
  shipment: TestShipment,
  command: 'acceptOffer' | 'refuseOffer',
  mayHurry: boolean,
): Promise<boolean> {
  const { db, jobs } = context;
  const { accountId, shipmentId } = idsOf(shipment);
  const now = await readAccountTime(db, accountId, new Date());
  const { rows } = await sql<{ driverId: string }>`
    select driver_id as "driverId" from driver_offers
    where account_id = ${accountId} and shipment_id = ${shipmentId} and answer is null and expires_at > ${now}
    limit 1`.execute(db);
  const commandId = commandIdOf(shipment, command);
  if (rows[0]) return sendAsRobot(context, rows[0].driverId, command, { id: shipmentId, commandId });
  if (!mayHurry) return false;
  await db.transaction().execute(async (tx) => {
    const search = await tx
      .selectFrom('driver_searches')
      .select(['id as searchId', 'step'])
      .where('account_id', '=', accountId)
      .where('shipment_id', '=', shipmentId)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (search) await jobs.send(tx, searchDriverJob, { accountId, shipmentId, timer: search });
  });
  return false;
}
