/** Everything that is printed. No e-mail address, no delivery code, no price. */
export interface Label {
  referenceNumber: string;
  /** Draws a cross over the addresses: whoever holds the paper must see that nothing is to be delivered. */
  isCancelled: boolean;
  isCollection: boolean;
  sender: Place;
  recipient: Place & { phoneNumber: string };
  weight: number;
  nature: string;
  notes: string | null;
  orderId: string | null;
  /** What the driver is held to: a slot on a local date (`YYYY-MM-DD`), a day yet to be agreed, or at once. */
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
