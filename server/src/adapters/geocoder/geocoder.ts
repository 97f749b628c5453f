export interface AddressQuery {
  street: string;
  city: string;
  postalCode: string;
  country: string;
}

export interface GeocodedPoint {
  latitude: number;
  longitude: number;
  precision: 'address' | 'town';
}

/** `null` means the source answered and knows no such place: final, asking again changes nothing. */
export interface Geocoder {
  find(address: AddressQuery): Promise<GeocodedPoint | null>;
}

/**
 * The source could not be asked: worth trying again later.
 *
 * The reason ends up in logs, so it never holds the address. No `cause` either: a parser's message quotes the answer,
 * and the answer repeats the address.
 */
export class GeocoderUnavailable extends Error {
  constructor(reason: string) {
    super(`geocoder unavailable: ${reason}`);
    this.name = 'GeocoderUnavailable';
  }
}
