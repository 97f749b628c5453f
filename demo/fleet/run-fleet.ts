import { setTimeout } from 'node:timers/promises';
import { openWholeBrowser } from '../../e2e/browser.ts';
import { crowd } from '../../server/test/crowd.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import { createChance } from '../day/chance.ts';
import { createShops } from '../day/company.ts';
import { inTurn, strikeWith } from '../day/faults.ts';
import { type Installation, startInstallation } from '../day/installation.ts';
import { createLeakDetector } from '../day/leak-detector.ts';
import { type Merchant, openShop } from '../day/merchant.ts';
import { createPatience } from '../day/patience.ts';
import { codeIn, linkIn, openPost, peopleOf } from '../day/post.ts';
import { type Done, openPhone, PASSWORD, type Phone } from './phone.ts';

export interface FleetOptions {
  drivers: number;
  parcels: number;
  kills: number;
  seed: number;
}

export interface FleetReport {
  delivered: number;
  seconds: number;
  lost: number;
  offline: number;
  kills: number;
  /** Differences between histories and steps taken, and broken invariants. */
  faults: string[];
}

const KILL_EVERY_MS = 15_000;
const MOST_MS = 20 * 60_000;
const CLOCK_TOLERANCE_MS = 3_000; // between a click in the browser and the command that it gives
const HISTORY = ['created', 'assigned', 'picked_up', 'in_transit', 'delivered'];

/** Drivers with the real app in real browsers deliver parcels on a bad network, while processes are killed. */
export async function runFleet(options: FleetOptions, log: (line: string) => void): Promise<FleetReport> {
  const { drivers, parcels, seed } = options;
  const chance = createChance(seed);
  const started = performance.now();
  const installation = await startInstallation(0, drivers);
  const browser = await openWholeBrowser();
  const [working, killing] = [new AbortController(), new AbortController()];
  try {
    const [shop] = await createShops(installation.navette, chance);
    if (!shop) throw new Error('no shop');
    const patience = createPatience();
    const merchant = openShop(shop, installation.urls, patience, createLeakDetector());
    const emails = await hireDrivers(installation, drivers);
    const phones = await crowd(2, emails, (email, i) =>
      openPhone(browser, installation.urls[i % installation.urls.length] as string, {
        email,
        place: shop.place,
        chance: createChance(seed * 1_000 + i),
      }),
    );
    log(`${phones.length} phones are signed in and available`);

    const numberOf = new Map<string, number>();
    const codes = readCodes(installation, numberOf);
    let kills = 0;
    const killed = strikeWith(inTurn(installation.processes.kills), KILL_EVERY_MS, killing.signal, (name) => {
      log(name);
      if (++kills >= options.kills) killing.abort();
    });
    const work = Promise.all(phones.map((phone) => phone.work(codes, working.signal)));
    await placeOrders(merchant, parcels, numberOf);
    await Promise.race([work, untilDelivered(merchant, [...numberOf.keys()], log)]);
    working.abort();
    killing.abort();
    await Promise.all([work, killed]);
    const faults = await findFaults(installation, merchant, phones, [...numberOf.keys()]);
    return {
      delivered: parcels - faults.filter((fault) => fault.includes('is not delivered')).length,
      seconds: Math.round((performance.now() - started) / 1_000),
      lost: phones.reduce((sum, phone) => sum + phone.lost, 0),
      offline: phones.reduce((sum, phone) => sum + phone.offline, 0),
      kills,
      faults,
    };
  } finally {
    working.abort();
    killing.abort();
    await browser.close();
    await installation.remove();
  }
}

async function hireDrivers({ navette }: Installation, many: number): Promise<string[]> {
  const people = Array.from({ length: many }, (_, i) => ({
    firstName: 'Ana',
    lastName: `Leroy ${i + 1}`,
    phoneNumber: `+3319${String(i).padStart(7, '0')}`,
    email: `livreur${i}@drivers.example`,
    autoAccept: true,
    password: PASSWORD,
  }));
  await navette(['driver', 'create', '--input', '-'], people);
  return people.map(({ email }) => email);
}

async function placeOrders(merchant: Merchant, parcels: number, numberOf: Map<string, number>): Promise<void> {
  for (let number = 1; number <= parcels; number++) {
    const { deliveryAddress, ...request } = shipmentRequest();
    const body = { ...request, deliveryAddress: { ...deliveryAddress, ...peopleOf(number).recipient } };
    const answer = await merchant.create(body, `fleet-${number}`);
    if (answer.status !== 201) throw new Error(`order ${number}: ${JSON.stringify(answer.body)}`);
    numberOf.set(answer.body.shipping._id, number);
  }
}

/** The code of the recipient's page, whose link is in the SMS. */
function readCodes({ twilio, mailbox, urls }: Installation, numberOf: Map<string, number>) {
  const post = openPost(twilio, mailbox);
  return async (shipmentId: string): Promise<string> => {
    for (;;) {
      const number = numberOf.get(shipmentId);
      const { phoneNumber, email } = peopleOf(number ?? 0).recipient;
      const link = linkIn(post.smsTo(phoneNumber)[0]?.body ?? post.mailsTo(email)[0]?.text ?? '');
      for (const url of link && number ? urls : []) {
        const page = await fetch(`${url}${link}`).catch(() => null);
        const code = page?.ok ? codeIn(await page.text()) : null;
        if (code) return code;
      }
      await setTimeout(200);
    }
  };
}

async function untilDelivered(merchant: Merchant, ids: string[], log: (line: string) => void): Promise<void> {
  const until = performance.now() + MOST_MS;
  for (let last = -1; performance.now() < until; await setTimeout(1_000)) {
    const { body } = await merchant.call('GET', '/shipping/stats');
    const delivered: number = body.stats.byStatus.delivered;
    if (delivered !== last) log(`${delivered} of ${ids.length} delivered`);
    last = delivered;
    if (delivered === ids.length) return;
  }
}

async function findFaults(
  { navette, processes }: Installation,
  merchant: Merchant,
  phones: Phone[],
  ids: string[],
): Promise<string[]> {
  const faults = processes.crashes().slice();
  for (const [i, phone] of phones.entries()) {
    if (!(await phone.isEmpty())) faults.push(`the outbox of driver ${i + 1} is not empty`);
  }
  for (const id of ids) {
    const { body } = await merchant.call('GET', `/shipping/${id}`);
    const acts = phones.flatMap(({ done }) => done.get(id) ?? []);
    faults.push(...compare(body.shipping, acts).map((fault) => `${body.shipping.referenceNumber} ${fault}`));
  }
  const findings = (await navette(['audit'])) as { invariant: string; broken: number }[];
  faults.push(...findings.filter(({ broken }) => broken > 0).map(({ invariant }) => `audit: ${invariant}`));
  return faults;
}

interface DeliveredDocument {
  status: string;
  statusHistory: { status: string }[];
  pickupTime: string;
  deliveryTime: string;
}

/** The history is what the drivers did: each step once, in order, at the time of the phone. */
function compare(shipping: DeliveredDocument, acts: Partial<Done>[]): string[] {
  const history = shipping.statusHistory.map(({ status }) => status);
  if (shipping.status !== 'delivered') return [`is not delivered but ${shipping.status}`];
  const [act, ...others] = acts;
  if (!act || others.length > 0) return [`was carried by ${acts.length} drivers`];
  const isAt = (time: string, done: number | undefined) =>
    done !== undefined && Math.abs(Date.parse(time) - done) < CLOCK_TOLERANCE_MS;
  return [
    ...(history.join() === HISTORY.join() ? [] : [`has the history ${history.join(', ')}`]),
    ...(isAt(shipping.pickupTime, act.pickup) ? [] : [`was picked up at ${shipping.pickupTime}, not when it was done`]),
    ...(isAt(shipping.deliveryTime, act.deliver)
      ? []
      : [`was delivered at ${shipping.deliveryTime}, not when it was done`]),
  ];
}
