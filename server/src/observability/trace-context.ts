import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** Where a request or job belongs: https://www.w3.org/TR/trace-context/ */
export interface Trace {
  /** 32 hexadecimal digits, the same in every log line and span of a request and of the jobs that follow it. */
  traceId: string;
  /** The span that jobs and spans started from here belong to: 16 hexadecimal digits. */
  spanId: string;
  /** The caller's span, or the span that enqueued the job. */
  parentSpanId?: string;
  /** Spans are recorded. Never true while tracing is off. */
  sampled: boolean;
}

/** The payload of a job may name the trace of the change that it follows. */
export type Traced<Payload> = Payload & { traceparent?: string | undefined };

const IDS = '(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})';
/** Version 00 has exactly these fields; later versions start with the same ones. Version ff is forbidden. */
const TRACEPARENT = new RegExp(`^(?:00-${IDS}|(?!00|ff)[0-9a-f]{2}-${IDS}(?:-.*)?)$`);
const LONGEST = 512; // characters; a later version may add fields, not a document
const SAMPLED = 1;

/** Null for a header that is absent, repeated or malformed: the receiver then starts a trace of its own. */
export function parseTraceparent(header: unknown): (Trace & { parentSpanId?: never }) | null {
  if (typeof header !== 'string' || header.length > LONGEST) return null;
  const found = TRACEPARENT.exec(header);
  if (!found) return null;
  const [traceId, spanId, flags] = found.slice(1).filter((part) => part !== undefined) as [string, string, string];
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

export const formatTraceparent = ({ traceId, spanId, sampled }: Trace): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** Spans of this traceparent's trace are recorded. */
export const isSampled = (traceparent: string | undefined): traceparent is string =>
  parseTraceparent(traceparent)?.sampled === true;

const PROCESS = randomBytes(8).toString('hex');
let lastNumber = BigInt(`0x${randomBytes(6).toString('hex')}`);

/**
 * A trace without a caller. Its id is this process's random half and a number that starts anywhere: a random id for each
 * request takes 3 µs. A request that records no span needs no random span id either.
 */
export function startTrace(): Trace {
  lastNumber += 1n;
  const spanId = lastNumber.toString(16).padStart(16, '0');
  return { traceId: PROCESS + spanId, spanId, sampled: false };
}

const traces = new AsyncLocalStorage<Trace>();

/** Jobs that `work` enqueues and lines that it logs belong to this trace. */
export const runInTrace = <T>(trace: Trace, work: () => T): T => traces.run(trace, work);

/** Not valid inside a statement that several requests share: each of them has a trace of its own. */
export const currentTrace = (): Trace | undefined => traces.getStore();

/** For the payload of a job, inside `runInTrace`. */
export function currentTraceparent(): string | undefined {
  const trace = traces.getStore();
  return trace && formatTraceparent(trace);
}
