import { emptyForm, type FormValues } from './form-values.ts';
import { newIdempotencyKey } from './idempotency-key.ts';

/** An unfinished form and its idempotency key, so that sending it twice creates one shipment. */
export interface Draft {
  values: FormValues;
  idempotencyKey: string;
}

// In sessionStorage: another member who uses the same computer must not see the draft.
const storageKey = (accountId: string) => `navette-draft-shipment-${accountId}`;

export const newDraft = (values = emptyForm()): Draft => ({ values, idempotencyKey: newIdempotencyKey() });

export function readDraft(accountId: string): Draft | null {
  try {
    const saved = JSON.parse(sessionStorage.getItem(storageKey(accountId)) ?? 'null');
    if (saved === null) return null;
    return { ...saved, values: { ...emptyForm(), ...saved.values } };
  } catch {
    return null; // written by another version
  }
}

export const saveDraft = (accountId: string, draft: Draft) =>
  sessionStorage.setItem(storageKey(accountId), JSON.stringify(draft));

export const deleteDraft = (accountId: string) => sessionStorage.removeItem(storageKey(accountId));
