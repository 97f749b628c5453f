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

/** Until when clients retry, and how many requests they made. */
export interface Patience {
  signal: AbortSignal;
  answered: number;
  askedAgain: number;
}

/** Without a signal, clients retry for ever. */
export const createPatience = (signal = new AbortController().signal): Patience => ({
  signal,
  answered: 0,
  askedAgain: 0,
});

/** Retries after a broken connection, a 429 or a 5xx until there is another response. */
export async function untilAnswered(
  ask: (attempt: number) => Promise<Answered>,
  patience: Patience,
): Promise<PatientAnswer> {
  let isDoubtful = false;
  for (let attempt = 0; ; attempt++) {
    patience.signal.throwIfAborted();
    const answer = await ask(attempt).catch(() => null);
    if (answer && answer.status < 500 && answer.status !== 429) {
      patience.answered++;
      return { ...answer, isDoubtful };
    }
    if (answer?.status !== 429) isDoubtful = true;
    patience.askedAgain++;
    await setTimeout(PAUSE_MS);
  }
}
