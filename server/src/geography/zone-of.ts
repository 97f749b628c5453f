const LONGEST_ZONE = 12; // characters; postal codes of any country are shorter

/** The postal code, as one text for all ways to write it; empty where there is none. */
export const zoneOf = (postalCode: string | null): string =>
  (postalCode ?? '').replaceAll(/\s/g, '').toUpperCase().slice(0, LONGEST_ZONE);
