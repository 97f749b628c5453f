import { createHash } from 'node:crypto';
import type { Label } from './label.ts';

/** To be raised whenever labels look different: files drawn before are then drawn again. A test keeps watch. */
export const DESIGN = 1;

/** Everything that a label's file depends on, in short. */
export const fingerprintOf = (label: Label): string => hash(JSON.stringify([DESIGN, label]));

/**
 * A PDF may end with a comment. Ours says which label it shows and what its bytes were, so that a file can be judged by
 * itself: cut off, altered, replaced or outdated, it is not taken for the label.
 */
export function seal(pdf: Buffer, fingerprint: string): Buffer {
  return Buffer.concat([pdf, Buffer.from(sealOf(pdf, fingerprint), 'latin1')]);
}

export type Judgement = 'good' | 'altered' | 'outdated';

export function judge(file: Buffer, fingerprint: string): Judgement {
  const mark = SEAL.exec(file.toString('latin1', Math.max(0, file.length - SEAL_LENGTH)));
  const pdf = file.subarray(0, -SEAL_LENGTH);
  if (!mark?.[1] || mark[0] !== sealOf(pdf, mark[1])) return 'altered';
  return mark[1] === fingerprint ? 'good' : 'outdated';
}

const hash = (...parts: (Buffer | string)[]) =>
  parts
    .reduce((sum, part) => sum.update(part), createHash('sha256'))
    .digest('hex')
    .slice(0, 32);
const sealOf = (pdf: Buffer, fingerprint: string) => `%navette ${fingerprint} ${hash(pdf, fingerprint)}\n`;
const SEAL = /^%navette ([0-9a-f]{32}) [0-9a-f]{32}\n$/;
const SEAL_LENGTH = sealOf(Buffer.alloc(0), hash('')).length;
