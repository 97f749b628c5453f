import { toGsm } from '../../adapters/sms/gsm-alphabet.ts';
import { countSegments } from '../../adapters/sms/sms-parts.ts';

export interface SmsFacts {
  merchantName: string;
  referenceNumber: string;
  isCollection: boolean;
  isExpress: boolean;
  /** `mer. 5 mars, 14h-16h`, for a shipment with a slot. */
  slot: string | null;
  link: string;
}

/** To the recipient of the parcel. For a collection that is the workshop, which needs the code as well. */
export function recipientSms({ merchantName, referenceNumber, isCollection, isExpress, slot, link }: SmsFacts): string {
  const end = `Suivi et code pour le livreur : ${link}`;
  if (isCollection) return toGsm(`Collecte ${referenceNumber} : un livreur vous apporte le colis. ${end}`);
  if (slot) return fit(merchantName, (name) => `Votre colis ${name} arrive ${slot}. ${end}`);
  if (isExpress) return fit(merchantName, (name) => `${name} vous envoie un colis en express. ${end}`);
  return fit(merchantName, (name) => `Un livreur vous apporte votre colis ${name}. ${end}`);
}

/** To the contact of a collection. */
export function collectionSms({ merchantName, link }: SmsFacts): string {
  return fit(
    merchantName,
    (name) => `${name} : un livreur vient chercher votre colis. QR code à lui montrer : ${link}`,
  );
}

const MIN_NAME_LENGTH = 10; // characters; a shorter name is not recognisable

/** Shortens a long merchant's name, if that saves the cost of a second segment. */
function fit(name: string, compose: (name: string) => string): string {
  const plain = Array.from(toGsm(name));
  const whole = toGsm(compose(plain.join('')));
  if (countSegments(whole) === 1) return whole;
  for (let length = plain.length - 1; length >= MIN_NAME_LENGTH; length--) {
    const shorter = toGsm(compose(`${plain.slice(0, length).join('').trimEnd()}...`));
    if (countSegments(shorter) === 1) return shorter;
  }
  return whole;
}
