import { setTimeout } from 'node:timers/promises';

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: responses of every shape pass here
  body: any;
}

export interface PatientAnswer extends Answered {
  /** An earlier attempt may have succeeded: its response was lost. */
  isDoubtful: boolean;
}

const PAUSE_MS = 250;

/** Until when clients retry, and how often they retried. */
export interface Patience {
  signal: AbortSignal;
  askedAgain: number;
}

/** Retries after a broken connection, a 429 or a 5xx until there is another response. */
export async function untilAnswered(
  ask: (attempt: number) => Promise<Answered>,
  patience: Patience,
): Promise<PatientAnswer> {
  let isDoubtful = false;
  for (let attempt = 0; ; attempt++) {
    patience.signal.throwIfAborted();
    const answer = await ask(attempt).catch(() => null);
    if (answer && answer.status < 500 && answer.status !== 429) return { ...answer, isDoubtful };
    if (answer?.status !== 429) isDoubtful = true;
    patience.askedAgain++;
    await setTimeout(PAUSE_MS);
  }
}
