import { setTimeout } from 'node:timers/promises';
import { BASE_PATH } from '@navette/contract';
import { readConfig } from '../../server/src/config.ts';
import { demoPlace, demoRequest } from '../../server/src/demo/demo-requests.ts';
import type { DemoWorld } from '../../server/src/demo/seed-demo.ts';
import { callApi } from '../../server/test/call-api.ts';
import { startFakeMailbox } from '../../server/test/fake-mailbox.ts';
import { type FakeTwilio, startFakeTwilio } from '../../server/test/fake-twilio.ts';
import { phoneOverHttp } from '../day/driver-phone.ts';
import { createPatience } from '../day/patience.ts';
import { codeIn, linkIn } from '../day/post.ts';
import { serveMessagesPage } from './messages-page.ts';
import { drive, type Helpers } from './moving-driver.ts';
import { buildSite, navette, type Running, startService, startWebApp } from './processes.ts';

export interface DevPorts {
  /** Of the address that people open; the dashboard's development server. */
  port: number;
  /** Of the driver app's development server. */
  driverPort: number;
  /** Of the console's development server. */
  consolePort: number;
  apiPort: number;
  messagesPort: number;
}

export interface Dev {
  url: string;
  driverUrl: string;
  consoleUrl: string;
  /** The link with which the first admin joins, unless somebody did. */
  invitation: string | null;
  messagesUrl: string;
  world: DemoWorld;
  /** Ends with an error as soon as a process ends by itself. */
  ended: Promise<never>;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 240_000;
const ADMIN = 'admin@navette.example';
const ORDER_EVERY_MS = 20_000;

/** Everything that `npm run dev` starts: engines are expected to run, the rest is started here. */
export async function startDev(ports: DevPorts, log: (line: string) => void): Promise<Dev> {
  const { port, driverPort, consolePort, apiPort, messagesPort } = ports;
  const url = `http://127.0.0.1:${port}`;
  const driverUrl = `http://127.0.0.1:${driverPort}`;
  const consoleUrl = `http://127.0.0.1:${consolePort}`;
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const end = new AbortController();
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    end.abort();
    for (const stopOne of stops.toReversed()) await stopOne();
  };
  try {
    const [twilio, mailbox] = await Promise.all([startFakeTwilio(), startFakeMailbox()]);
    stops.push(() => Promise.all([twilio.stop(), mailbox.stop()]));
    const messages = await serveMessagesPage(messagesPort, twilio, mailbox);
    stops.push(() => messages.stop());
    const environment = {
      ...ownDatabase(),
      HOST: '127.0.0.1',
      PORT: String(apiPort),
      PUBLIC_URL: url,
      SMS_URL: twilio.url,
      MAIL_URL: mailbox.url,
      WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    };
    const apps = [
      startWebApp('dashboard', port, { NAVETTE_API: apiUrl }),
      startWebApp('driver', driverPort, { NAVETTE_API: apiUrl }),
      startWebApp('console', consolePort, { NAVETTE_API: apiUrl }),
    ];
    stops.push(() => Promise.all(apps.map((app) => app.stop())));
    await buildSite();
    log('migrating the database and filling it with the demo');
    await navette(environment, 'migrate');
    const seeded = await navette(environment, 'demo', 'seed', '--webhooks-to', `${messages.url}/hooks`, '--json');
    const world = JSON.parse(seeded) as DemoWorld;
    const invitation = await inviteAdmin(environment, consoleUrl);
    const service = startService(environment);
    stops.push(() => service.stop());
    const pages = [`${apiUrl}/readyz`, `${url}/dashboard/`, `${driverUrl}/driver/`, `${consoleUrl}/console/`];
    await Promise.race([Promise.all(pages.map(isReady)), ...endings([...apps, service])]);
    startTraffic({ url: apiUrl, world, twilio, environment, signal: end.signal });
    const ended = Promise.race(endings([...apps, service]));
    return { url, driverUrl, consoleUrl, invitation, messagesUrl: messages.url, world, ended, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Invites the first admin of the console, again until the invitation is accepted. */
async function inviteAdmin(environment: Record<string, string>, consoleUrl: string): Promise<string | null> {
  const staff = JSON.parse(await navette(environment, 'staff', 'list', '--json')) as unknown[];
  if (staff.length > 0) return null;
  const { link } = JSON.parse(await navette(environment, 'staff', 'invite', ADMIN, '--print', '--json'));
  return link.replace(new URL(link).origin, consoleUrl);
}

const endings = (all: Running[]) => all.map(({ ended }) => ended);

/** A database and keys in Redis of its own, unless the environment names others. */
function ownDatabase(): Record<string, string> {
  const { databaseUrl } = readConfig();
  const own = Object.assign(new URL(databaseUrl), { pathname: '/navette_dev' }).href;
  return {
    DATABASE_URL: process.env.DATABASE_URL ?? own,
    REDIS_PREFIX: process.env.REDIS_PREFIX ?? 'navette_dev:',
  };
}

async function isReady(url: string): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => null,
    );
    if (status === 200) return;
    if (performance.now() > deadline) throw new Error(`${url} was not ready after ${READY_WITHIN_MS / 1_000} s`);
    await setTimeout(200);
  }
}

interface Traffic {
  url: string;
  world: DemoWorld;
  twilio: FakeTwilio;
  environment: Record<string, string>;
  signal: AbortSignal;
}

/** Drivers that move, and a new order from time to time. A failure of either is reported and ends neither. */
function startTraffic({ url, world, twilio, environment, signal }: Traffic): void {
  const patience = createPatience(signal);
  const helpers: Helpers = {
    async codeFor(phoneNumber) {
      const link = linkIn(twilio.sentTo(phoneNumber).at(-1)?.body ?? '');
      return link ? codeIn(await (await fetch(`${url}${link}`)).text()) : null;
    },
    confirmDelivery: (reference) =>
      navette(environment, 'shipment', 'confirm-delivery', reference, '--reason', 'confirmed by phone'),
  };
  const report = (error: unknown) => {
    if (!signal.aborted) console.error(`[drivers] ${String(error)}`);
  };
  for (const [i, { token }] of world.drivers.entries()) {
    const phone = phoneOverHttp({ urls: [url], token, first: 0, patience, leakDetector: null });
    drive(phone, demoPlace(i), helpers, signal).catch(report);
  }
  placeOrders({ url, world, signal }).catch(report);
}

async function placeOrders({ url, world, signal }: Pick<Traffic, 'url' | 'world' | 'signal'>): Promise<void> {
  for (let number = world.shipments; !signal.aborted; number++) {
    const account = world.accounts[number % world.accounts.length];
    const body = demoRequest(number);
    if (account) await callApi(`${url}${BASE_PATH}/shipping`, account, 'POST', { body }).catch(() => {});
    await setTimeout(ORDER_EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
