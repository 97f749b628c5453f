import { gsmCodes, isGsm } from './gsm-alphabet.ts';

const PART_BYTES = 140; // payload of one SMS
const HEADER_BYTES = 6; // concatenation header: identifies the parts of one text

export interface SmsParts {
  encoding: 'gsm' | 'ucs2';
  /** One byte per code in GSM, two bytes per unit in UCS-2; without headers. */
  parts: Buffer[];
}

const SIZES = {
  gsm: { alone: Math.floor((PART_BYTES * 8) / 7), together: Math.floor(((PART_BYTES - HEADER_BYTES) * 8) / 7) },
  ucs2: { alone: PART_BYTES, together: PART_BYTES - HEADER_BYTES },
};

/** Splits a text into SMS parts: one part if it fits, and never inside a character. */
export function splitSms(text: string): SmsParts {
  const encoding = isGsm(text) ? 'gsm' : 'ucs2';
  const characters = Array.from(text, encoding === 'gsm' ? (one) => [...(gsmCodes(one) ?? [])] : ucs2Bytes);
  const { alone, together } = SIZES[encoding];
  const length = characters.reduce((sum, codes) => sum + codes.length, 0);
  const capacity = length <= alone ? alone : together;
  const parts: number[][] = [[]];
  for (const codes of characters) {
    if ((parts.at(-1)?.length ?? 0) + codes.length > capacity) parts.push([]);
    parts.at(-1)?.push(...codes);
  }
  return { encoding, parts: parts.map((part) => Buffer.from(part)) };
}

export const countSegments = (text: string): number => splitSms(text).parts.length;

const ucs2Bytes = (character: string): number[] => [...Buffer.from(character, 'utf16le').swap16()];
