import { createHash } from 'node:crypto';
import type { Label } from './label.ts';

/** Increase it when the design of labels changes: older files are then drawn again. A test checks it. */
export const DESIGN = 1;

/** A hash of everything that a label's file depends on. */
export const fingerprintOf = (label: Label): string => hash(JSON.stringify([DESIGN, label]));

/**
 * Appends a PDF comment with the label's fingerprint and a hash of the bytes, so that a file can be verified without
 * other data: a truncated, altered, replaced or outdated file is detected.
 */
export function seal(pdf: Buffer, fingerprint: string): Buffer {
  return Buffer.concat([pdf, Buffer.from(sealOf(pdf, fingerprint), 'latin1')]);
}

export type SealCheck = 'good' | 'altered' | 'outdated';

export function checkSeal(file: Buffer, fingerprint: string): SealCheck {
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
