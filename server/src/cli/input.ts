import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { isUuid } from '../uuid.ts';
import { UsageError } from './failure.ts';

/** Reads a JSON object from a file, or from standard input when the name is `-`. */
export async function readJsonInput(file: string): Promise<Record<string, unknown>> {
  const source = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8').catch(() => null);
  if (source === null) throw new UsageError(`cannot read ${file}`);
  try {
    const value: unknown = JSON.parse(source);
    if (JSON.stringify(value).includes('\\u0000')) throw new UsageError('the input contains a NUL character');
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    if (error instanceof UsageError) throw error; // anything else is not JSON, as said below
  }
  throw new UsageError(`${file === '-' ? 'standard input' : file} must hold one JSON object`);
}

export function readId(value: string): string {
  if (!isUuid(value)) throw new UsageError(`"${value}" is not an id; \`navette account list\` shows them`);
  return value.toLowerCase();
}

export function readInstant(value: string): Date {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw new UsageError(`"${value}" is not a date such as 2030-01-31T12:00:00Z`);
  return date;
}
