import type { SealedSecret } from './secret-sealer.ts';

export interface ResealCounts {
  /** Secrets that are encrypted with the newest key now and were not before. */
  reencrypted: number;
  /** Secrets whose key is missing in the setting, or whose row was changed by hand. They are left as they are. */
  unreadable: number;
}

export interface Resealing<Row extends SealedSecret> {
  /** The next rows with an older key, in the order of their ids, after the given row. */
  read(after: Row | null): Promise<Row[]>;
  reseal(row: Row): SealedSecret;
  /** Returns how many rows were written: one that was changed meanwhile has the newest key already, or a new secret. */
  write(rows: { row: Row; resealed: SealedSecret }[]): Promise<number>;
}

/**
 * Encrypts secrets again with the newest key. Each batch is one statement: a run that is interrupted has done part of the
 * work, and the next one continues with the rest.
 */
export async function resealInBatches<Row extends SealedSecret>(resealing: Resealing<Row>): Promise<ResealCounts> {
  const counts: ResealCounts = { reencrypted: 0, unreadable: 0 };
  for (let last: Row | null = null; ; ) {
    const rows: Row[] = await resealing.read(last);
    last = rows.at(-1) ?? null;
    if (!last) return counts;
    const readable = rows.flatMap((row) => {
      try {
        return { row, resealed: resealing.reseal(row) };
      } catch {
        return []; // counted below; the error names the missing key, which `navette doctor --deep` reports as well
      }
    });
    counts.unreadable += rows.length - readable.length;
    if (readable.length > 0) counts.reencrypted += await resealing.write(readable);
  }
}
