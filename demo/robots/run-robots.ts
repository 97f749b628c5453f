import { setTimeout } from 'node:timers/promises';
import { crowd } from '../../server/test/crowd.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { Received } from '../../server/test/webhook-receiver.ts';
import { createChance } from '../day/chance.ts';
import { createShops } from '../day/company.ts';
import { inTurn, strikeWith } from '../day/faults.ts';
import { type Installation, startInstallation } from '../day/installation.ts';
import { createLeakDetector } from '../day/leak-detector.ts';
import { type Merchant, openShop, subscribe } from '../day/merchant.ts';
import { createPatience } from '../day/patience.ts';

export interface RobotsOptions {
  shipments: number;
  secondsPerStep: number;
  kills: number;
}

export interface RobotsReport {
  shipments: number;
  seconds: number;
  /** From the creation to the delivery. */
  secondsToDelivery: { p50: number; p95: number };
  webhooks: number;
  kills: number;
  /** Shipments and events that differ from a clean delivery, and broken invariants. */
  faults: string[];
}

const HOOK = '/robots';
const HISTORY = ['created', 'assigned', 'picked_up', 'in_transit', 'delivered'];
const EVENTS = ['created', 'assigned', 'picked_up', 'delivered'].map((status) => `shipping.${status}`);
const CREATIONS_AT_ONCE = 8;
const KILL_EVERY_MS = 5_000;
const MOST_MS = 20 * 60_000;

/** Robot couriers in mode `auto` carry the shipments of a test account, through the public interfaces. */
export async function runRobots(options: RobotsOptions, log: (line: string) => void): Promise<RobotsReport> {
  const { shipments, secondsPerStep } = options;
  const installation = await startInstallation(0, 1);
  const killing = new AbortController();
  try {
    const twin = await openTwin(installation);
    await subscribe(twin, installation.receiver, HOOK);
    await twin.call('PUT', '/test/courier', { body: { mode: 'auto', secondsPerStep } });
    const started = performance.now();
    let kills = 0;
    const killed = strikeWith(inTurn(installation.processes.kills), KILL_EVERY_MS, killing.signal, (name) => {
      log(name);
      if (++kills >= options.kills) killing.abort();
    });
    if (options.kills === 0) killing.abort();
    const ids = await createAll(twin, shipments);
    await untilDelivered(twin, shipments, log);
    const seconds = Math.round((performance.now() - started) / 1_000);
    killing.abort();
    await killed;
    await untilReceived(installation.receiver, shipments);
    const documents = await readAll(twin, ids);
    const faults = [
      ...documents.flatMap(findFaults),
      ...findMissingEvents(installation.receiver.to(HOOK), ids),
      ...(await auditFaults(installation)),
      ...installation.processes.crashes(),
    ];
    const webhooks = installation.receiver.to(HOOK).length;
    return { shipments, seconds, secondsToDelivery: measure(documents), webhooks, kills, faults };
  } finally {
    killing.abort();
    await installation.remove();
  }
}

async function openTwin({ navette, urls }: Installation): Promise<Merchant> {
  const [shop] = await createShops(navette, createChance(1));
  if (!shop) throw new Error('no shop');
  const { account, ...credentials } = (await navette(['sandbox', 'create', shop.id])) as Record<
    'account' | 'clientId' | 'key',
    string
  >;
  const patience = createPatience();
  return openShop({ ...shop, id: account, ...credentials }, urls, patience, createLeakDetector());
}

/** A creation whose response was lost is repeated with its key, and creates nothing twice. */
const createAll = (twin: Merchant, count: number): Promise<string[]> =>
  crowd(CREATIONS_AT_ONCE, Array(count).fill(0), async (_, i) => {
    const { status, body } = await twin.create(shipmentRequest(), `robots-${i}`);
    if (!body.shipping) throw new Error(`shipment ${i}: ${status} ${JSON.stringify(body)}`);
    return body.shipping._id;
  });

async function untilDelivered(twin: Merchant, count: number, log: (line: string) => void): Promise<void> {
  const until = performance.now() + MOST_MS;
  for (let last = -1; performance.now() < until; await setTimeout(1_000)) {
    const { body } = await twin.call('GET', '/shipping/stats');
    const delivered: number = body.stats.byStatus.delivered;
    if (delivered !== last) log(`${delivered} of ${count} delivered`);
    last = delivered;
    if (delivered === count) return;
  }
}

async function untilReceived({ to }: Installation['receiver'], count: number): Promise<void> {
  const until = performance.now() + 60_000;
  const delivered = () =>
    new Set(
      to(HOOK)
        .map(subjectOf)
        .filter((subject) => subject.startsWith('shipping.delivered')),
    );
  while (delivered().size < count && performance.now() < until) await setTimeout(500);
}

interface ShipmentDocument {
  referenceNumber: string;
  createdAt: string;
  deliveryTime: string | null;
  statusHistory: { status: string }[];
}

async function readAll(twin: Merchant, ids: string[]): Promise<ShipmentDocument[]> {
  const documents: ShipmentDocument[] = [];
  for (const id of ids) documents.push((await twin.call('GET', `/shipping/${id}`)).body.shipping);
  return documents;
}

function findFaults({ referenceNumber, statusHistory }: ShipmentDocument): string[] {
  const history = statusHistory.map(({ status }) => status).join(', ');
  return history === HISTORY.join(', ') ? [] : [`${referenceNumber} has the history ${history}`];
}

function findMissingEvents(received: Received[], ids: string[]): string[] {
  const arrived = new Set(received.map(subjectOf));
  const missing = ids
    .flatMap((id) => EVENTS.map((event) => `${event} ${id}`))
    .filter((subject) => !arrived.has(subject));
  const unsigned = received.flatMap(({ faults }) => faults);
  return [...missing.map((subject) => `no webhook for ${subject}`), ...unsigned];
}

function subjectOf({ body }: Received): string {
  const { event, data } = JSON.parse(body.toString()) as { event: string; data: { id: string } };
  return `${event} ${data.id}`;
}

async function auditFaults({ navette }: Installation): Promise<string[]> {
  const findings = (await navette(['audit'])) as { invariant: string; broken: number }[];
  return findings.filter(({ broken }) => broken > 0).map(({ invariant }) => `audit: ${invariant}`);
}

function measure(documents: ShipmentDocument[]): RobotsReport['secondsToDelivery'] {
  const seconds = documents
    .map(({ createdAt, deliveryTime }) => (Date.parse(deliveryTime ?? '') - Date.parse(createdAt)) / 1_000)
    .sort((a, b) => a - b);
  const at = (share: number) => Math.round((seconds[Math.floor(share * (seconds.length - 1))] ?? 0) * 10) / 10;
  return { p50: at(0.5), p95: at(0.95) };
}
