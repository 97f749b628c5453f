import { setTimeout } from 'node:timers/promises';

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape pass here
  body: any;
}

export interface PatientAnswer extends Answered {
  /** An earlier try may have been heard: its answer never came. */
  isDoubtful: boolean;
}

const PAUSE_MS = 250;

/** How long everybody goes on asking, and how often somebody had to ask again. */
export interface Patience {
  signal: AbortSignal;
  askedAgain: number;
}

/** Asks until there is an answer that is one, as a good client does: not for a broken connection, a 429 or a 5xx. */
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
