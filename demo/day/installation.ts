import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../server/src/config.ts';
import { type FakeMailbox, startFakeMailbox } from '../../server/test/fake-mailbox.ts';
import { type FakeTwilio, startFakeTwilio } from '../../server/test/fake-twilio.ts';
import { freePort } from '../../server/test/free-port.ts';
import { runNavette } from '../../server/test/navette-process.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { shareEngines, startEngines } from './engines.ts';
import { type Fault, providerFaults } from './faults.ts';
import { type ServiceProcesses, startServiceProcesses } from './service-processes.ts';

/** The infrastructure of the day: a database, a Redis prefix, the processes, and local providers. */
export interface Installation {
  /** Addresses of the service; one per api process. */
  urls: string[];
  twilio: FakeTwilio;
  mailbox: FakeMailbox;
  receiver: WebhookReceiver;
  processes: ServiceProcesses;
  /** Everything that may be disturbed, beginning with the processes. */
  faults: Fault[];
  timeZone: string;
  /** Runs an operator's command and returns its JSON output. Input that is not a text is given as JSON. */
  navette: (args: string[], input?: unknown) => Promise<unknown>;
  remove(): Promise<void>;
}

const SERVERS = 2;
export const RUNS_PER_DRIVER = 4;

/** Shorter times than in production. With many drivers on a small machine, offers last longer. */
const paceFor = (drivers: number) => ({
  DISPATCH_OFFER_SECONDS: drivers > 100 ? '30' : '3',
  DISPATCH_RETRY_SECONDS: drivers > 100 ? '30' : '2',
  DISPATCH_RADIUS_KM: '2,5,15',
  DISPATCH_WAVE_SIZE: '3',
  DISPATCH_RUNS_PER_DRIVER: String(RUNS_PER_DRIVER),
  DRIVER_REQUESTS_PER_MINUTE: '6000',
  DATABASE_POOL_SIZE: drivers > 100 ? '8' : '4', // four processes share a hundred connections with others
});

/** With `ownEngines`, it starts a PostgreSQL and a Redis, which may then crash. */
export async function startInstallation(
  leadMinutes: number,
  drivers: number,
  { ownEngines = false } = {},
): Promise<Installation> {
  const { timeZone } = readConfig();
  const name = `navette_day_${process.pid}`;
  const engines = ownEngines ? await startEngines(name) : shareEngines(name);
  const files = await mkdtemp(join(tmpdir(), 'navette-day-'));
  const [twilio, mailbox, receiver] = await Promise.all([
    startFakeTwilio(),
    startFakeMailbox(),
    startWebhookReceiver(),
  ]);
  const ports = await Promise.all(Array.from({ length: SERVERS }, freePort));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const environment = {
    ...paceFor(drivers),
    ...engines.environment,
    PUBLIC_URL: urls[0] as string,
    LABEL_STORE: join(files, 'labels'),
    PROOF_STORE: join(files, 'proofs'),
    SMS_URL: twilio.url,
    SMS_PER_ACCOUNT_PER_DAY: '1000000', // one day here has as many shipments as weeks of an account
    MAIL_URL: mailbox.url,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    ACTIVATION_LEAD_MINUTES: String(leadMinutes),
  };
  const navette = async (args: string[], input?: unknown): Promise<unknown> => {
    const given = typeof input === 'string' || input === undefined ? input : JSON.stringify(input);
    const { code, stdout, stderr } = await runNavette(
      [...args, '--json'],
      { ...environment, LOG_LEVEL: 'error' },
      given,
    );
    if (code !== 0) throw new Error(`navette ${args.join(' ')}: ${stderr.trim() || stdout.trim()}`);
    return JSON.parse(stdout);
  };
  let processes: ServiceProcesses | null = null;
  const remove = async () => {
    processes?.leave();
    await Promise.all([twilio.stop(), mailbox.stop(), receiver.stop()]);
    await engines.remove();
    await rm(files, { recursive: true, force: true });
  };
  try {
    await navette(['migrate']);
    processes = await startServiceProcesses(environment, ports);
  } catch (error) {
    await remove();
    throw error;
  }
  const faults = [...processes.kills, ...processes.pauses, ...engines.faults, ...providerFaults(twilio, mailbox)];
  return { urls, twilio, mailbox, receiver, processes, faults, timeZone, navette, remove };
}
