import pino, { type DestinationStream, type Logger } from 'pino';

/**
 * Structured lines on standard output. Errors are reduced to what helps without repeating data: PostgreSQL puts the
 * offending row into `detail` and undici the URL into its cause, so only type, code, message and stack are kept.
 */
export function createLog(level: string, destination: DestinationStream = standardOutput()): Logger {
  return pino({ level, base: { pid: process.pid }, serializers: { err: summarise } }, destination);
}

/**
 * Written in the background, some lines at a time: a system call a line took a good part of a request's time. What is
 * still here when the process ends is written then; only a kill -9 can lose the last fifth of a second.
 */
const standardOutput = () => pino.destination({ fd: 1, sync: false, minLength: 16_000, periodicFlush: 200 });

function summarise(error: unknown) {
  // Not every library throws an Error: pg-boss reports plain objects that look like one.
  const { name, message, stack, code, constraint } = (error ?? {}) as Partial<Error> & {
    code?: string;
    constraint?: string;
  };
  return { type: name ?? typeof error, code, constraint, message, stack };
}
