import { normalizeText } from './normalize-text.ts';

/** Whether a recipient's name causes the fault of this documented name in test mode; other words may follow it. */
export const isTestName = (recipient: string, name: string): boolean =>
  normalizeText(recipient).startsWith(normalizeText(name));
