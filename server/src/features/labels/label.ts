/** Everything that is printed. No e-mail address, no delivery code, no price. */
export interface Label {
  referenceNumber: string;
  /** Draws a cross over the addresses, so that nobody delivers a cancelled parcel. */
  isCancelled: boolean;
  isCollection: boolean;
  sender: Place;
  recipient: Place & { phoneNumber: string };
  weight: number;
  nature: string;
  notes: string | null;
  orderId: string | null;
  /** The promised time: a slot on a local date (`YYYY-MM-DD`), the agreed pickup time, or the same day. */
  service: { kind: 'slot'; date: string; slot: string } | { kind: 'agreed' } | { kind: 'express' };
  /** Local date of creation, `YYYY-MM-DD`. */
  createdOn: string;
}

export interface Place {
  name: string;
  street: string;
  postalCode: string;
  city: string;
  country: string;
}
