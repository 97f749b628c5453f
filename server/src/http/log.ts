import pino, { type DestinationStream, type Logger } from 'pino';

/**
 * Structured lines on standard output. Errors are reduced to what helps without repeating data: PostgreSQL puts the
 * offending row into `detail` and undici the URL into its cause, so only type, code, message and stack are kept.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    { level, base: { pid: process.pid }, serializers: { err: summarise } },
    // Not synchronous: a line is handed to the system at once, but a slow reader of the log never holds up a request.
    destination ?? pino.destination({ fd: 1, sync: false }),
  );
}

function summarise(error: unknown) {
  // Not every library throws an Error: pg-boss reports plain objects that look like one.
  const { name, message, stack, code, constraint } = (error ?? {}) as Partial<Error> & {
    code?: string;
    constraint?: string;
  };
  return { type: name ?? typeof error, code, constraint, message, stack };
}
