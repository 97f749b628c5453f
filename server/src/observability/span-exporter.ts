import type { FastifyBaseLogger } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { readBuild } from '../config.ts';
import { createFailureLog } from './failure-log.ts';

const MAX_QUEUED = 2_048; // spans; above it new ones are dropped, because tracing must not take memory from the service
const MAX_BATCH = 512; // spans per request to the collector
const FLUSH_MS = 2_000; // spans wait at most this long
const TIMEOUT_MS = 5_000;

/** Numbers of the OTLP protocol. */
const KINDS = { internal: 1, server: 2, client: 3, consumer: 5 } as const;
const STATUS_ERROR = 2;

/** Never contains personal data: route patterns, statuses and ids only. */
export interface Span {
  name: string;
  kind: keyof typeof KINDS;
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  /** Milliseconds since 1970, with fractions. */
  startedAt: number;
  endedAt: number;
  attributes: Record<string, string | number | undefined>;
  failed: boolean;
}

export interface SpanExporter {
  add(span: Span): void;
  /** Sends what is queued, once. */
  stop(): Promise<void>;
}

/** Counted whether or not tracing is on: an alert or a dashboard then finds a zero instead of nothing. */
export function countSpans(registry: Registry): Counter<'outcome'> {
  const spans = new Counter({
    name: 'navette_trace_spans_total',
    help: 'Spans recorded by this process: exported to the collector, refused by it, or dropped because the queue was full',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['exported', 'refused', 'dropped']) spans.inc({ outcome }, 0);
  return spans;
}

/**
 * Sends spans in batches, as OTLP over HTTP with JSON. Callers never wait. A batch that the collector does not accept is
 * lost and counted: repeating it would need more memory exactly while something is wrong.
 */
export function createSpanExporter(url: string, counter: Counter<'outcome'>, log: FastifyBaseLogger): SpanExporter {
  const queue: Span[] = [];
  const report = createFailureLog(log);
  const resource = { attributes: toAttributes(describeProcess()) };
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function flushSoon(): void {
    timer ??= setTimeout(flush, FLUSH_MS).unref();
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (sending || queue.length === 0) return;
    const batch = queue.splice(0, MAX_BATCH);
    sending = send(batch).finally(() => {
      sending = undefined;
      if (queue.length >= MAX_BATCH) flush();
      else if (queue.length > 0) flushSoon();
    });
  }

  async function send(batch: Span[]): Promise<void> {
    const scopeSpans = [{ scope: { name: 'navette' }, spans: batch.map(toOtlp) }];
    try {
      const answer = await fetch(`${url}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource, scopeSpans }] }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.arrayBuffer(); // frees the connection
      if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
      counter.inc({ outcome: 'exported' }, batch.length);
    } catch (error) {
      counter.inc({ outcome: 'refused' }, batch.length);
      report(error, { spans: batch.length }, 'spans were not exported');
    }
  }

  return {
    add(span) {
      if (queue.length >= MAX_QUEUED) return counter.inc({ outcome: 'dropped' });
      queue.push(span);
      if (queue.length >= MAX_BATCH) flush();
      else flushSoon();
    },
    async stop() {
      while (sending || queue.length > 0) {
        flush();
        await sending;
      }
      clearTimeout(timer);
    },
  };
}

function describeProcess() {
  return { 'service.name': 'navette', 'service.version': readBuild().version, 'process.pid': process.pid };
}

function toOtlp(span: Span) {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId,
    name: span.name,
    kind: KINDS[span.kind],
    startTimeUnixNano: toNanoseconds(span.startedAt),
    endTimeUnixNano: toNanoseconds(span.endedAt),
    attributes: toAttributes(span.attributes),
    status: span.failed ? { code: STATUS_ERROR } : {},
  };
}

/** A string, as OTLP asks: nanoseconds since 1970 exceed what a number can hold. Microseconds do not. */
const toNanoseconds = (milliseconds: number) => `${Math.round(milliseconds * 1_000)}000`;

const toAttributes = (values: Span['attributes']) =>
  Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return { key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } };
  });
