import { BASE_PATH } from '@navette/contract';
import { sql } from 'kysely';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { type ReceivedSpan, startOtlpReceiver } from '../../test/otlp-receiver.ts';
import { shipmentRequest } from '../../test/shipment-request.ts';
import { subscribe } from '../../test/subscribe.ts';
import type { TestAccount } from '../../test/test-server.ts';
import { startTestWorker, workDone } from '../../test/test-worker.ts';
import { startWebhookServer, type WebhookServer } from '../../test/webhook-server.ts';
import { followChangeJob } from '../jobs/definitions.ts';
import { createLog } from './create-log.ts';
import { createTracer } from './tracer.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const OTHER_TRACE = 'a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0';
const CALLER = '00f067aa0ba902b7';

let collector: Awaited<ReturnType<typeof startOtlpReceiver>>;
let sender: WebhookServer;
let shop: TestAccount;
beforeAll(async () => {
  collector = await startOtlpReceiver();
  sender = await startWebhookServer({ OTLP_URL: collector.url, TRACE_SAMPLE_PERCENT: '0' });
  shop = await sender.server.createAccount({ paymentMode: 'deferred' });
  await subscribe(sender.server, sender.receiver, shop, '/traced', ['shipping.created']);
});
afterAll(async () => {
  await sender.stop();
  await collector.stop();
});

const create = (traceparent?: string) =>
  sender.server.call(shop, 'POST', '/shipping', {
    body: shipmentRequest(),
    headers: traceparent === undefined ? {} : { traceparent },
  });

const requestLines = () =>
  sender.server
    .logged()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { msg: string; reqId: string; traceId?: string })
    .filter(({ msg }) => msg === 'request');

async function traceIdOf({ headers }: { headers: Headers }): Promise<string | undefined> {
  const id = headers.get('x-request-id');
  return eventually(() => {
    const line = requestLines().find(({ reqId }) => reqId === id);
    if (!line) throw new Error('the request is not logged yet');
    return line.traceId;
  });
}

const attributesOf = ({ attributes }: ReceivedSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));

describe('the traceparent of a request', () => {
  test('is in its log line', async () => {
    expect(await traceIdOf(await create(`00-${OTHER_TRACE}-${CALLER}-00`))).toBe(OTHER_TRACE);
  });

  test('is replaced by a new one when it is malformed or absent', async () => {
    const malformed = await traceIdOf(await create(`00-${OTHER_TRACE}-${'0'.repeat(16)}-01`));
    const absent = await traceIdOf(await create());
    expect(malformed).toMatch(/^[0-9a-f]{32}$/);
    expect(absent).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set([malformed, absent, OTHER_TRACE]).size).toBe(3);
  });

  test('is committed with the job of the change, one for each of the requests that share a transaction', async () => {
    const given = Array.from({ length: 40 }, (_, i) => i.toString(16).padStart(32, 'b'));
    const answers = await Promise.all(given.map((traceId) => create(`00-${traceId}-${CALLER}-00`)));
    const { rows } = await sql<{ shipmentId: string; traceparent: string }>`
      select data->>'shipmentId' as "shipmentId", data->>'traceparent' as traceparent
      from pgboss.job where name = ${followChangeJob.name}`.execute(sender.server.db);
    const stored = new Map(rows.map(({ shipmentId, traceparent }) => [shipmentId, traceparent]));
    expect(answers.map(({ body }) => stored.get(body.shipping._id))).toEqual(
      given.map((traceId) => `00-${traceId}-${CALLER}-00`),
    );
  });

  test('is in the log lines of the jobs that follow, through a batch and a job enqueued by it', async () => {
    const traceId = 'c0ffee'.padEnd(32, '0');
    const { body } = await create(`00-${traceId}-${CALLER}-00`);
    const worker = await startTestWorker(sender.server);
    try {
      await workDone(sender.server);
      const { rows } = await sql<{ id: string }>`
        select id from messages where shipment_id = ${body.shipping._id}`.execute(sender.server.db);
      const lines = worker
        .logged()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { msg: string; message?: string; traceId?: string });
      const sent = lines.filter(({ message }) => rows.some(({ id }) => id === message));
      expect(sent.length).toBeGreaterThan(0);
      expect(sent.map((line) => line.traceId)).toEqual(sent.map(() => traceId));
    } finally {
      await worker.stop();
    }
  });
});

test('a sampled creation has spans of the request, its transaction, its jobs and the webhook attempt', async () => {
  const answer = await create(`00-${TRACE}-${CALLER}-01`);
  expect(answer.status).toBe(201);
  const worker = await startTestWorker(sender.server);
  try {
    await workDone(sender.server);
  } finally {
    await worker.stop(); // sends the spans that are queued
  }
  await sender.server.tracer.stop();
  const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
  const named = (name: string) => {
    const found = spans.filter((span) => span.name === name);
    expect([name, found.length]).toEqual([name, 1]);
    return found[0] as ReceivedSpan;
  };
  const request = named(`POST ${BASE_PATH}/shipping`);
  const follow = named('job follow-change');
  const attempt = named('webhook attempt');
  expect(request).toMatchObject({ parentSpanId: CALLER, kind: 2, status: {} });
  expect(named('insert shipments').parentSpanId).toBe(request.spanId);
  expect(follow.parentSpanId).toBe(request.spanId);
  expect(attempt.parentSpanId).toBe(follow.spanId);
  expect(named('job search-driver').parentSpanId).toBe(follow.spanId);
  expect(attributesOf(request)).toMatchObject({
    'http.route': `${BASE_PATH}/shipping`,
    'http.response.status_code': '201',
    'navette.request_id': answer.headers.get('x-request-id'),
    'navette.account_id': shop.id,
  });
  expect(attributesOf(attempt)).toMatchObject({ 'http.response.status_code': '200', 'navette.attempt': '1' });
  for (const span of spans) {
    expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
    expect(Math.abs(Number(BigInt(span.startTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(600_000);
  }
  const text = JSON.stringify(spans);
  for (const secret of ['Camille', 'Opéra', '+336', 'camille@', shop.key, shop.clientId, sender.receiver.url]) {
    expect(text).not.toContain(secret);
  }
  for (const { headers } of sender.receiver.to('/traced')) {
    expect(Object.keys(headers).filter((name) => name.startsWith('trace'))).toEqual([]);
    expect(JSON.stringify(headers)).not.toContain(TRACE);
  }
});

const tracing = (settings: { otlpUrl?: string | null; samplePercent?: number }) => {
  const registry = new Registry();
  const options = { tracing: { otlpUrl: collector.url, samplePercent: 0, ...settings } };
  const tracer = createTracer(options, registry, createLog('silent'));
  const counted = async (outcome: string) =>
    Number(
      new RegExp(`navette_trace_spans_total\\{outcome="${outcome}"\\} (\\d+)`).exec(await registry.metrics())?.[1],
    );
  return { tracer, counted };
};
const SPAN = { name: 'a span', kind: 'internal', startedAt: Date.now(), failed: false, attributes: {} } as const;

describe('the tracer', () => {
  test('records nothing when it is off, whatever callers ask for', () => {
    const { tracer } = tracing({ otlpUrl: null, samplePercent: 100 });
    expect(tracer.begin(`00-${TRACE}-${CALLER}-01`)).toEqual({ traceId: TRACE, spanId: CALLER, sampled: false });
    expect(tracer.begin(undefined).sampled).toBe(false);
    expect(tracer.follow(`00-${TRACE}-${CALLER}-01`).sampled).toBe(false);
  });

  test('samples the share that the setting says', () => {
    const sampled = (percent: number) => {
      const { tracer } = tracing({ samplePercent: percent });
      return Array.from({ length: 20_000 }, () => tracer.begin(undefined)).filter((trace) => trace.sampled).length;
    };
    expect(sampled(0)).toBe(0);
    expect(sampled(100)).toBe(20_000);
    expect(Math.abs(sampled(5) - 1_000)).toBeLessThan(250); // eight standard deviations
  });

  test('limits how many spans callers can cause', () => {
    const { tracer } = tracing({});
    const traces = Array.from({ length: 1_000 }, () => tracer.begin(`00-${TRACE}-${CALLER}-01`));
    const sampled = traces.filter((trace) => trace.sampled).length;
    expect(sampled).toBeGreaterThanOrEqual(20);
    expect(sampled).toBeLessThan(100);
  });

  test('drops and counts what a full queue cannot hold, and what the collector refuses', async () => {
    const { tracer, counted } = tracing({ samplePercent: 100 });
    const before = collector.spans.length;
    for (let i = 0; i < 3_000; i++) tracer.record(tracer.begin(undefined), SPAN); // in one turn of the event loop
    await tracer.stop();
    const dropped = await counted('dropped');
    expect(dropped).toBeGreaterThan(0);
    expect(await counted('exported')).toBe(3_000 - dropped);
    expect(collector.spans.length - before).toBe(3_000 - dropped);
    collector.answerWith(503);
    tracer.record(tracer.begin(undefined), SPAN);
    await tracer.stop();
    collector.answerWith(200);
    expect(await counted('refused')).toBe(1);
  });
});
