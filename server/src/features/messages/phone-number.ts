const FRENCH_NATIONAL = /^0[1-9]\d{8}$/;
const INTERNATIONAL = /^\+[1-9]\d{6,14}$/;

/**
 * `+33612345678` from whatever a merchant sent, whose format nobody checked: spaces, dots, 00 for +, or the national
 * form, which is taken as French. Null when it can be no telephone number.
 */
export function internationalNumber(given: string): string | null {
  const bare = given.normalize('NFKC').replaceAll(/[\s.\-–/()\u200e\u202a-\u202e]/g, '');
  const number = FRENCH_NATIONAL.test(bare)
    ? `+33${bare.slice(1)}`
    : bare.replace(/^00/, '+').replace(/^(\+33)0(?=\d{9}$)/, '$1');
  return INTERNATIONAL.test(number) ? number : null;
}
