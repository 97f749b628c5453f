import { call } from '../api/call.ts';
import { createStore } from '../state/store.ts';
import type { Earnings } from '../storage/database.ts';
import { readKept, writeKept } from '../storage/database.ts';

/** Earnings of the current month, also without network. */
export const earningsStore = createStore<Earnings | null>(null);

export async function refreshEarnings(month: string): Promise<void> {
  if (!earningsStore.get()) earningsStore.set((await readKept('earnings')) ?? null);
  try {
    const { total, entries } = await call('readEarnings', { query: { month } });
    earningsStore.set({ month, total, entries });
    await writeKept('earnings', { month, total, entries });
  } catch {
    // offline: what was stored stays
  }
}
