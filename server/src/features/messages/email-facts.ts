import type { MessageKind, SignerRelation } from '@navette/contract';
import type { EmailContent } from '../../output-formats/email-layout.ts';

export type EmailKind = Exclude<MessageKind, `${string}-sms`>;

export interface EmailFacts {
  merchantName: string;
  /** How to reach the shop: its name, with e-mail address and phone number where it has given them. */
  shopContact: string;
  referenceNumber: string;
  isCollection: boolean;
  contactName: string | null;
  /** `mercredi 5 mars, 14h-16h`, for a shipment with a slot. */
  slot: string | null;
  pickupPlace: string;
  link: string;
  /** Of a `zone-email`: the operator's words, and the day and time of its end. */
  zone: { text: string; until: string } | null;
  /** Of a `next-email`, where there is an estimate: `14:35–14:50`. */
  arrival: string | null;
  /** Of a `delivered-email`. */
  delivery: DeliveryFacts | null;
}

export interface DeliveryFacts {
  /** `mercredi 5 mars à 15:42`. */
  at: string;
  /** By the operator, instead of the recipient's code. */
  isConfirmedByOperator: boolean;
  hasPhoto: boolean;
  /** The person who signed, if anybody did. Never the name: it may be somebody else’s. */
  signer: SignerRelation | null;
}

export interface EmailText extends EmailContent {
  subject: string;
}
export type EmailTexts = Record<EmailKind, (facts: EmailFacts) => EmailText>;

/** The image in a collection's e-mail; the HTML refers to it by this name. */
export const PICKUP_QR = 'qr-collecte';
