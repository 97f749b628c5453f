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

/** `null` means that the source has no such place: a final result, a retry changes nothing. */
export interface Geocoder {
  find(address: AddressQuery): Promise<GeocodedPoint | null>;
}

/**
 * The source is unreachable or failed: worth a retry later.
 *
 * The reason is logged, so it never contains the address. No `cause` either: a parser's message quotes the response, which
 * repeats the address.
 */
export class GeocoderUnavailable extends Error {
  constructor(reason: string) {
    super(`geocoder unavailable: ${reason}`);
    this.name = 'GeocoderUnavailable';
  }
}
