import type { Database, Tx } from '../../database/database.ts';
import { ALPHABET, hasCheckCharacter, withCheckCharacter } from '../../text/check-character.ts';

const PREFIX = 'NV';
const LENGTH = 5;
const MOST = ALPHABET.length ** LENGTH; // 24 million accounts
// Without a common factor with 30, so each number has one text. Neighbours differ much: a wrong digit finds nobody.
const FACTOR = 7_368_787;
const INVERSE = inverseOf(FACTOR, MOST);

/** `NV`, five characters and a check character: short enough for any bank's text field, and safe to read aloud. */
export function formatAccountReference(number: number): string {
  if (number < 1 || number >= MOST) throw new RangeError(`no reference for account number ${number}`);
  let rest = (number * FACTOR) % MOST;
  let body = '';
  for (let i = 0; i < LENGTH; i++) {
    body = ALPHABET[rest % ALPHABET.length] + body;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return PREFIX + withCheckCharacter(body);
}

/** Null for a text that is no reference. Banks change case and add spaces. */
export function parseAccountReference(text: string): number | null {
  const compact = text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const coded = compact.slice(PREFIX.length);
  if (!compact.startsWith(PREFIX) || !hasCheckCharacter(coded, LENGTH + 1)) return null;
  const scrambled = Array.from(coded.slice(0, LENGTH)).reduce(
    (sum, character) => sum * ALPHABET.length + ALPHABET.indexOf(character),
    0,
  );
  return Number((BigInt(scrambled) * BigInt(INVERSE)) % BigInt(MOST));
}

export async function readAccountReference(db: Database | Tx, accountId: string): Promise<string | null> {
  const row = await db
    .selectFrom('account_references')
    .select('number')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ? formatAccountReference(row.number) : null;
}

function inverseOf(factor: number, modulus: number): number {
  let [a, b, x, y] = [factor % modulus, modulus, 1, 0];
  while (a > 1) {
    const quotient = Math.floor(a / b);
    [a, b] = [b, a % b];
    [x, y] = [y, x - quotient * y];
  }
  return (x + modulus) % modulus;
}
