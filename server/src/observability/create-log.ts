import pino, { type DestinationStream, type Logger } from 'pino';
import { currentTrace } from './trace-context.ts';

/**
 * Writes structured lines to standard output. Errors keep only type, code, constraint, message and stack, which hold no
 * data: PostgreSQL puts the offending row into `detail`, and undici the URL into its cause. Lines that are written while a
 * request or job is handled carry its trace id.
 */
export function createLog(level: string, destination: DestinationStream = standardOutput()): Logger {
  const options = { base: { pid: process.pid }, serializers: { err: summarise }, redact: REDACTED };
  return pino({ level, ...options, mixin: addTraceId, mixinMergeStrategy: keepOwnFields }, destination);
}

const NOTHING = {};

/** Busy lines name their trace themselves, which costs no second object. */
function addTraceId(fields: object): object {
  if ('traceId' in fields) return NOTHING;
  const trace = currentTrace();
  return trace ? { traceId: trace.traceId } : NOTHING;
}

const keepOwnFields = (fields: object, added: object): object => (added === NOTHING ? fields : { ...added, ...fields });

/** A safeguard: no line holds these fields today, and a line that is added later must not leak them. */
const SENSITIVE = ['authorization', 'cookie', 'password', 'token', 'secret', 'email', 'phoneNumber'];
const REDACTED = SENSITIVE.flatMap((field) => [field, `headers.${field}`]);

/**
 * Buffered and asynchronous, because a system call per line took a good part of a request's time. The buffer is flushed
 * when the process exits; only a kill -9 can lose the last 200 ms.
 */
const standardOutput = () => pino.destination({ fd: 1, sync: false, minLength: 16_000, periodicFlush: 200 });

function summarise(error: unknown) {
  // Not every library throws an Error: pg-boss emits plain objects with the same fields.
  const { name, message, stack, code, constraint } = (error ?? {}) as Partial<Error> & {
    code?: string;
    constraint?: string;
  };
  return { type: name ?? typeof error, code, constraint, message, stack };
}
