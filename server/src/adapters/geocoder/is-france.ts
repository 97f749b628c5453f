const NAMES_OF_FRANCE = new Set(['france', 'fr', 'fra']);

/** Both sources cover France only; an address elsewhere must not match a French town of the same name. */
export function isFrance(country: string): boolean {
  return NAMES_OF_FRANCE.has(country.replace(/\s/g, '').toLowerCase());
}
