import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { readConfig } from '../../server/src/config.ts';
import { dropDatabase } from '../../server/test/drop-database.ts';
import { type FakeMailbox, startFakeMailbox } from '../../server/test/fake-mailbox.ts';
import { type FakeTwilio, startFakeTwilio } from '../../server/test/fake-twilio.ts';
import { freePort } from '../../server/test/free-port.ts';
import { runNavette } from '../../server/test/navette-process.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { type Cast, startCast } from './cast.ts';

/** Everything the day stands on: a database, a corner of Redis, the processes, and the far ends. */
export interface Stage {
  /** Where the service answers; one address per api process. */
  urls: string[];
  twilio: FakeTwilio;
  mailbox: FakeMailbox;
  receiver: WebhookReceiver;
  cast: Cast;
  timeZone: string;
  /** The operator at the command line; what a command prints as JSON. */
  navette: (args: string[], input?: unknown) => Promise<unknown>;
  strike(): Promise<void>;
}

const SERVERS = 2;
export const RUNS_PER_DRIVER = 4;

/** Faster than an ordinary day; many drivers on a small machine are given longer to hear of an offer. */
const paceFor = (drivers: number) => ({
  DISPATCH_OFFER_SECONDS: drivers > 100 ? '30' : '3',
  DISPATCH_RETRY_SECONDS: drivers > 100 ? '30' : '2',
  DISPATCH_RADIUS_KM: '2,5,15',
  DISPATCH_WAVE_SIZE: '3',
  DISPATCH_RUNS_PER_DRIVER: String(RUNS_PER_DRIVER),
  DRIVER_REQUESTS_PER_MINUTE: '6000',
  DATABASE_POOL_SIZE: drivers > 100 ? '10' : '6', // four processes share a hundred connections with others
});

export async function setStage(leadMinutes: number, drivers: number): Promise<Stage> {
  const { databaseUrl, redisUrl, timeZone } = readConfig();
  const name = `navette_day_${process.pid}`;
  const labels = await mkdtemp(join(tmpdir(), 'navette-day-'));
  const [twilio, mailbox, receiver] = await Promise.all([
    startFakeTwilio(),
    startFakeMailbox(),
    startWebhookReceiver(),
  ]);
  const ports = await Promise.all(Array.from({ length: SERVERS }, freePort));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const environment = {
    ...paceFor(drivers),
    DATABASE_URL: Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href,
    REDIS_PREFIX: `${name}:`,
    PUBLIC_URL: urls[0] as string,
    LABEL_STORE: labels,
    SMS_URL: twilio.url,
    MAIL_URL: mailbox.url,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ACTIVATION_LEAD_MINUTES: String(leadMinutes),
  };
  const navette = async (args: string[], input?: unknown): Promise<unknown> => {
    const json = input === undefined ? undefined : JSON.stringify(input);
    const { code, stdout, stderr } = await runNavette(
      [...args, '--json'],
      { ...environment, LOG_LEVEL: 'error' },
      json,
    );
    if (code !== 0) throw new Error(`navette ${args.join(' ')}: ${stderr.trim() || stdout.trim()}`);
    return JSON.parse(stdout);
  };
  let cast: Cast | null = null;
  const strike = async () => {
    cast?.leave();
    await Promise.all([twilio.stop(), mailbox.stop(), receiver.stop()]);
    await dropDatabase(environment.DATABASE_URL);
    await forget(redisUrl, environment.REDIS_PREFIX);
    await rm(labels, { recursive: true, force: true });
  };
  try {
    await navette(['migrate']);
    cast = await startCast(environment, ports);
  } catch (error) {
    await strike();
    throw error;
  }
  return { urls, twilio, mailbox, receiver, cast, timeZone, navette, strike };
}

async function forget(redisUrl: string, prefix: string): Promise<void> {
  const redis = new Redis(redisUrl);
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
    if (keys.length > 0) await redis.unlink(...(keys as string[]));
  }
  redis.disconnect();
}
