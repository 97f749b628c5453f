/** Amounts are whole cents in the code and EUR numbers in the API. */
export const toEuros = (cents: number): number => cents / 100;

/** Null when the amount has more than two decimals or is too large to count in cents. */
export function toCents(euros: number): number | null {
  const cents = Math.round(euros * 100);
  return Number.isSafeInteger(cents) && cents / 100 === euros ? cents : null;
}

/** The shortest decimal that reads back as this number, as digits / unit: for prices that must round exactly. */
export function asDecimal(value: number): { digits: bigint; unit: bigint } {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent) - fraction.length;
  const digits = BigInt(whole + fraction);
  return shift >= 0 ? { digits: digits * 10n ** BigInt(shift), unit: 1n } : { digits, unit: 10n ** BigInt(-shift) };
}
