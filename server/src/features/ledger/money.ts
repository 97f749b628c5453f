/** Amounts are whole cents inside and EUR numbers on the wire. */
export const toEuros = (cents: number): number => cents / 100;

/** Null when the amount has more than two decimals or is too large to count in cents. */
export function toCents(euros: number): number | null {
  const cents = Math.round(euros * 100);
  return Number.isSafeInteger(cents) && cents / 100 === euros ? cents : null;
}
