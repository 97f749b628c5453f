import type { LabelFormat } from '@navette/contract';

export interface LabelOutput {
  format: LabelFormat;
  /** Of the first label on an A4 sheet, from 1 to 4. */
  firstPosition: number;
}

export const ONE_PER_PAGE: LabelOutput = { format: 'page', firstPosition: 1 };

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
