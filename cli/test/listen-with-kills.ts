import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../../server/test/eventually.ts';
import { shipmentRequest } from '../../server/test/shipment-request.ts';
import type { TestServer } from '../../server/test/test-server.ts';
import { createTwin } from '../../server/test/twin.ts';
import { startWebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { environmentOf, startCli } from './run-cli.ts';

const SECRET = 'the-secret-of-the-listener';
const PATH = '/navette';

/**
 * Kills `listen` this often while so many events happen: sometimes when the receiver has a request and has not answered,
 * sometimes between two requests. Checks that every event arrived, signed and in order, with the interrupted one again at most.
 */
export async function listenWithKills(server: TestServer, { events, kills }: { events: number; kills: number }) {
  const rateLimits = { minute: 100_000, hour: 100_000, day: 100_000 };
  const twin = await createTwin(server, await server.createAccount({ paymentMode: 'deferred', rateLimits }));
  const receiver = await startWebhookReceiver();
  receiver.expectSecret(PATH, SECRET);
  const folder = await mkdtemp(join(tmpdir(), 'navette-listen-'));
  const state = join(folder, 'state.json');
  const args = ['listen', '--forward-to', `${receiver.url}${PATH}`, '--secret', SECRET, '--state', state, '--json'];
  const start = () => startCli([...args, '--since', '2020-01-01T00:00:00Z'], environmentOf(server, twin));
  const resume = () => startCli(args, environmentOf(server, twin));
  const cursors: number[] = [];
  const startedAt = performance.now();
  let listener = start();
  try {
    await eventually(() => expect(listener.lines.length).toBeGreaterThan(0));
    const shipping = createAll();
    for (let kill = 0; kill < kills; kill++) {
      const target = Math.floor(((kill + 1) * events) / (kills + 1));
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      const isInRequest = kill % 2 === 0;
      receiver.behave(PATH, (_request, response) => {
        const isTarget = receiver.to(PATH).length >= target;
        if (isTarget) resolve();
        if (!isTarget || !isInRequest) response.writeHead(200).end(); // otherwise the response never comes
      });
      await reached;
      if (!isInRequest) await new Promise((later) => setTimeout(later, Math.random() * 20)); // anywhere in the cycle
      listener.process.kill('SIGKILL');
      await listener.exited;
      cursors.push(Number(JSON.parse(await readFile(state, 'utf8')).cursor));
      receiver.behave(PATH, (_request, response) => response.writeHead(200).end());
      listener = resume();
    }
    await shipping;
    const all = await feedOf();
    expect(all).toHaveLength(events);
    const positions = new Map(all.map((id, i) => [id, i]));
    const arrived = () =>
      receiver.to(PATH).map(({ body }) => positions.get(JSON.parse(body.toString()).data.id) ?? Number.NaN);
    await eventually(() => expect(new Set(arrived()).size).toBe(events));
    listener.process.kill('SIGTERM');
    expect(await listener.exited).toBe(0);

    const seen = arrived();
    const jumps = seen.filter((position, i) => i > 0 && ![0, 1].includes(position - (seen[i - 1] ?? 0)));
    expect(jumps).toEqual([]);
    expect(cursors).toEqual(cursors.toSorted((a, b) => a - b));
    expect(receiver.to(PATH).flatMap(({ faults }) => faults)).toEqual([]);
    expect(JSON.parse(await readFile(state, 'utf8'))).toEqual({ cursor: String(events), secret: SECRET });
    return { requests: seen.length, repeated: seen.length - events, seconds: (performance.now() - startedAt) / 1_000 };
  } finally {
    listener.process.kill('SIGKILL');
    await receiver.stop();
    await rm(folder, { recursive: true });
  }

  async function createAll() {
    const shippings = Array.from({ length: Math.min(events, 25) }, () => shipmentRequest());
    for (let created = 0; created < events; created += shippings.length) {
      const body = { shippings: shippings.slice(0, events - created) };
      expect((await server.call(twin, 'POST', '/shipping/batch', { body })).status).toBe(200);
    }
  }

  async function feedOf(): Promise<string[]> {
    const ids: string[] = [];
    for (let after = '0'; ; ) {
      const { body } = await server.call(twin, 'GET', '/feed/events', { query: { after, limit: '100' } });
      ids.push(...body.events.map((event: { body: string }) => JSON.parse(event.body).data.id));
      after = body.cursor;
      if (!body.hasMore) return ids;
    }
  }
}
