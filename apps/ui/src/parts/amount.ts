/** The value of a number field. It is a string while the person types, and for `4.50` until the field loses the focus. */
export type Amount = number | string;

/** Null when the field is empty. */
export function orNull(amount: Amount): number | null {
  if (typeof amount === 'number') return amount;
  const value = Number(amount.replace(',', '.'));
  return amount.trim() === '' || !Number.isFinite(value) ? null : value;
}
