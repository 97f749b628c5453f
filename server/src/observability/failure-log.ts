import type { FastifyBaseLogger } from 'fastify';

const WINDOW_MS = 1_000;
const MAX_KINDS = 100; // bounds memory and lines when every failure differs

export type FailureLog = (error: unknown, fields: object, message: string) => void;

interface Window {
  repeated: number;
  latest: { fields: object; error: unknown };
}

/**
 * Logs failures, at most one line per second and kind. While an engine is away thousands of requests fail for the same
 * reason: the first is logged at once, then the latest of each second, with the number of those in between.
 */
export function createFailureLog(log: FastifyBaseLogger, kindOf: (error: unknown) => string = describe): FailureLog {
  const windows = new Map<string, Window>();

  function closeWindow(key: string, message: string): void {
    const { repeated, latest } = windows.get(key) as Window;
    windows.delete(key);
    if (repeated === 0) return;
    log.error({ ...latest.fields, err: latest.error, repeated }, message);
    openWindow(key, message, latest);
  }

  function openWindow(key: string, message: string, latest: Window['latest']): void {
    windows.set(key, { repeated: 0, latest });
    setTimeout(() => closeWindow(key, message), WINDOW_MS).unref();
  }

  return (error, fields, message) => {
    const kind = `${message} ${kindOf(error)}`;
    const key = windows.has(kind) || windows.size < MAX_KINDS ? kind : message;
    const open = windows.get(key);
    if (open) {
      open.repeated++;
      open.latest = { fields, error };
      return;
    }
    log.error({ ...fields, err: error }, message);
    openWindow(key, message, { fields, error });
  };
}

const describe = (error: unknown): string => `${causeOf(error)} ${(error as Error | null)?.message}`;

/** A short name for what failed: the code of a system call or of PostgreSQL, or the class of the error. */
export function causeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: string; name?: string };
  return code ?? name ?? typeof error;
}
