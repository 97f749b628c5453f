/**
 * Normalises the name of a town: case, accents, hyphens, apostrophes, a leading article, "St" for "Saint" and "Cedex" do
 * not count. A city district keeps its number and nothing after it: "Paris 11e Arrondissement", "PARIS 11" and
 * "Paris 11 Popincourt" are all "paris 11".
 */
export function normalizeTownName(name: string): string {
  return name
    .toLowerCase()
    .replace(/œ/g, 'oe') // no Unicode decomposition exists for it
    .normalize('NFD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
    .replace(/\bst\b/g, 'saint')
    .replace(/\bste\b/g, 'sainte')
    .replace(/ cedex.*$/, '')
    .replace(/^(le|la|les|l) /, '')
    .replace(/^(\D+) 0?(\d+).*$/, '$1 $2');
}

/** "paris 11" becomes "paris": with a postal code the number adds nothing. */
export function withoutDistrictNumber(normalizedName: string): string {
  return normalizedName.replace(/ \d+$/, '');
}
