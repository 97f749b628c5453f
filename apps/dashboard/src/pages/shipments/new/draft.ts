import { emptyForm, type FormValues } from './form-values.ts';
import { newKey } from './new-key.ts';

/** A form that was begun, and the key that makes it one shipment however often it is sent. */
export interface Draft {
  values: FormValues;
  idempotencyKey: string;
}

// Of this tab only: what a colleague types at the same machine later is theirs.
const keptAs = (accountId: string) => `navette-draft-shipment-${accountId}`;

export const newDraft = (): Draft => ({ values: emptyForm(), idempotencyKey: newKey() });

export function readDraft(accountId: string): Draft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keptAs(accountId)) ?? 'null');
    if (kept === null) return null;
    return { ...kept, values: { ...emptyForm(), ...kept.values } };
  } catch {
    return null; // of another version
  }
}

export const keepDraft = (accountId: string, draft: Draft) =>
  sessionStorage.setItem(keptAs(accountId), JSON.stringify(draft));

export const dropDraft = (accountId: string) => sessionStorage.removeItem(keptAs(accountId));
