import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Registry } from 'prom-client';
import { createTokenBucket } from '../concurrency/token-bucket.ts';
import type { Config } from '../config.ts';
import { countSpans, createSpanExporter, type Span } from './span-exporter.ts';
import { parseTraceparent, startTrace, type Trace } from './trace-context.ts';

/** Callers may ask for spans with their own traceparent; anyone can, so the cost of it is limited per process. */
const REQUESTED_BY_CALLERS = { burst: 20, perMinute: 600 };

type OwnSpan = Omit<Span, 'traceId' | 'spanId' | 'parentSpanId' | 'endedAt'>;

/** See docs/decisions/tracing.md. */
export interface Tracer {
  /** The trace of an incoming request: the caller's if its traceparent is valid, else a new one. */
  begin(traceparent: unknown): Trace;
  /** The trace of a job, from its payload: a sampled one gets a span of its own. */
  follow(traceparent: unknown): Trace;
  /** A child of the given trace. Call it for sampled traces only. */
  childOf(trace: Trace): Trace;
  /** The span of this trace, which ends now. Call it for sampled traces only. */
  record(trace: Trace, span: OwnSpan): void;
  /** Sends the spans that are still queued. */
  stop(): Promise<void>;
}

export function createTracer({ tracing }: Pick<Config, 'tracing'>, registry: Registry, log: FastifyBaseLogger): Tracer {
  const { otlpUrl, samplePercent } = tracing;
  const counter = countSpans(registry);
  const exporter = otlpUrl ? createSpanExporter(otlpUrl, counter, log) : null;
  const requested = createTokenBucket(REQUESTED_BY_CALLERS);
  const share = samplePercent / 100;

  const childOf = ({ traceId, spanId }: Trace): Trace => ({
    traceId,
    spanId: newSpanId(),
    parentSpanId: spanId,
    sampled: true,
  });
  return {
    begin(traceparent) {
      const given = traceparent === undefined ? null : parseTraceparent(traceparent);
      if (!exporter) return given ? { ...given, sampled: false } : startTrace();
      const sampled = (given?.sampled && requested.take()) || Math.random() < share;
      if (given) return sampled ? childOf(given) : { ...given, sampled: false };
      return { ...startTrace(), sampled };
    },
    follow(traceparent) {
      const given = parseTraceparent(traceparent) ?? startTrace();
      return exporter && given.sampled ? childOf(given) : { ...given, sampled: false };
    },
    childOf,
    record({ traceId, spanId, parentSpanId }, span) {
      exporter?.add({ ...span, traceId, spanId, parentSpanId, endedAt: preciseNow() });
    },
    stop: async () => exporter?.stop(),
  };
}

/** Milliseconds since 1970, with fractions: spans of a few hundred microseconds have a length. */
export const preciseNow = (): number => performance.timeOrigin + performance.now();

function newSpanId(): string {
  const id = randomBytes(8).toString('hex');
  return /^0+$/.test(id) ? newSpanId() : id; // all zeros is invalid
}
