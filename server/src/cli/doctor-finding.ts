import { setTimeout } from 'node:timers/promises';

/** For another service. On a busy machine, or while disks are slow, a healthy one takes seconds. */
export const ANSWER_LIMIT_MS = 8_000;
const LIMIT_MS = 20_000; // longer than the time limits of the checks themselves

/** The result of one check of `navette doctor`. */
export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'failed';
  detail: string;
  /** The remedy; empty when none is needed. */
  advice: string;
}

/** Thrown by a check that found a problem and can name the remedy. */
export class Problem extends Error {
  readonly status: Exclude<Finding['status'], 'ok'>;
  readonly advice: string;

  constructor(status: Problem['status'], message: string, advice: string) {
    super(message);
    this.status = status;
    this.advice = advice;
  }
}

/** A check returns its detail, or throws. `advice` is for errors that are not a `Problem`. */
export async function find(check: string, advice: string, examine: () => Promise<string>): Promise<Finding> {
  try {
    const detail = await Promise.race([examine(), setTimeout(LIMIT_MS, null, { ref: false })]);
    if (detail === null) throw new Error(`no answer within ${LIMIT_MS / 1_000} s`);
    return { check, status: 'ok', detail, advice: '' };
  } catch (error) {
    if (error instanceof Problem) return { check, status: error.status, detail: error.message, advice: error.advice };
    return { check, status: 'failed', detail: explain(error), advice };
  }
}

function explain(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return message || code || String(error);
}
