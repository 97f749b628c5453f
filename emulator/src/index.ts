import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { API_KEY, CLIENT_ID } from './fixed-values.ts';
import { PACKAGE_ROOT } from './package-root.ts';

export { API_KEY, CLIENT_ID, WEBHOOK_SECRET } from './fixed-values.ts';

export interface StartOptions {
  /** A free one when absent. */
  port?: number;
  /** Receives all events, signed with `webhookSecret`. */
  webhook?: string;
  /** Seconds per step of robot couriers that deliver every shipment by themselves. */
  robots?: number;
  /** A JSON file with account, courier, webhooks and shipments to start with. */
  seed?: string;
}

/** A message to a recipient that the service would have sent. */
export interface Message {
  shipmentId: string;
  kind: string;
  channel: 'sms' | 'email';
  to: string | null;
  subject: string | null;
  text: string | null;
  createdAt: string;
}

export interface Emulator {
  url: string;
  apiKey: string;
  clientId: string;
  webhookSecret: string;
  /** Lets a robot courier carry a shipment until it has this status, such as `delivered`. */
  until(shipmentId: string, status: string): Promise<void>;
  /** Moves the clock forward to an instant; everything that is due until then has happened afterwards. */
  moveClock(to: Date): Promise<void>;
  /** Brings it back to its state after the start. */
  reset(): Promise<void>;
  /** SMS and e-mails that the service would have sent, oldest first. */
  messages(): Promise<Message[]>;
  stop(): Promise<void>;
}

const COMMAND = `${PACKAGE_ROOT}bin/navette-emulator.js`;

/** Starts the emulator as a process of its own, which ends with this one at the latest. */
export async function startEmulator(options: StartOptions = {}): Promise<Emulator> {
  const { port = 0, webhook, robots, seed } = options;
  const given = Object.entries({ port, webhook, robots, seed }).filter(([, value]) => value !== undefined);
  const args = given.flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = spawn(process.execPath, [COMMAND, ...args, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const kill = () => void child.kill();
  process.once('exit', kill);
  const line = await new Promise<string>((resolve, reject) => {
    child.once('error', reject);
    void exited.then((code) => reject(new Error(`the emulator ended with ${code}`)));
    createInterface({ input: child.stdout }).once('line', resolve);
  });
  const { pid: _pid, ...facts } = JSON.parse(line) as Omit<
    Emulator,
    'until' | 'moveClock' | 'reset' | 'messages' | 'stop'
  > & {
    pid: number;
  };
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = {
      authorization: `Bearer ${API_KEY}`,
      'x-client-id': CLIENT_ID,
      'content-type': 'application/json',
    };
    const sent = body ? { headers, body: JSON.stringify(body) } : {};
    const response = await fetch(`${facts.url}${path}`, { method, ...sent });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    ...facts,
    async until(shipmentId, status) {
      await call('POST', `/pro/api/v1/test/shipping/${encodeURIComponent(shipmentId)}/until`, { status });
    },
    async moveClock(to) {
      for (;;) {
        const answer = await call('POST', '/pro/api/v1/test/clock', { to: to.toISOString() });
        if ((answer as { clock: { movingTo: string | null } }).clock.movingTo === null) return;
      }
    },
    reset: async () => void (await call('POST', '/emulator/reset')),
    messages: async () => ((await call('GET', '/emulator/messages')) as { messages: Message[] }).messages,
    async stop() {
      process.off('exit', kill);
      child.kill();
      await exited;
    },
  };
}
