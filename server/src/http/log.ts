import pino, { type DestinationStream, type Logger } from 'pino';

/**
 * Structured lines on standard output. Errors are reduced to what helps without repeating data: PostgreSQL puts the
 * offending row into `detail` and undici the URL into its cause, so only type, code, message and stack are kept.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    { level, base: { pid: process.pid }, serializers: { err: summarise } },
    destination ?? pino.destination(1),
  );
}

function summarise(error: unknown) {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack, code, constraint } = error as Error & { code?: string; constraint?: string };
  return { type: name, code, constraint, message, stack };
}
