import type { Language } from '@navette/contract';
import { toGsm } from '../../adapters/sms/gsm-alphabet.ts';
import { countSegments } from '../../adapters/sms/sms-parts.ts';

export interface SmsFacts {
  merchantName: string;
  referenceNumber: string;
  isCollection: boolean;
  isExpress: boolean;
  /** `mer. 5 mars, 14h-16h`, for a shipment with a slot. */
  slot: string | null;
  /** Until the arrival, of the SMS shortly before it. */
  minutes: number | null;
  link: string;
}

interface SmsTexts {
  /** With the link to the tracking page, which shows the code. */
  end: (link: string) => string;
  collected: (referenceNumber: string) => string;
  inSlot: (name: string, slot: string) => string;
  express: (name: string) => string;
  agreed: (name: string) => string;
  soon: (name: string, minutes: number) => string;
  collection: (name: string, link: string) => string;
}

const TEXTS: Record<Language, SmsTexts> = {
  fr: {
    end: (link) => `Suivi et code pour le livreur : ${link}`,
    collected: (referenceNumber) => `Collecte ${referenceNumber} : un livreur vous apporte le colis.`,
    inSlot: (name, slot) => `Votre colis ${name} arrive ${slot}.`,
    express: (name) => `${name} vous envoie un colis en express.`,
    agreed: (name) => `Un livreur vous apporte votre colis ${name}.`,
    soon: (name, minutes) => `Votre colis ${name} arrive dans environ ${minutes} minutes.`,
    collection: (name, link) => `${name} : un livreur vient chercher votre colis. QR code à lui montrer : ${link}`,
  },
  en: {
    end: (link) => `Tracking and code for the driver: ${link}`,
    collected: (referenceNumber) => `Collection ${referenceNumber}: a driver is bringing you the parcel.`,
    inSlot: (name, slot) => `Your parcel from ${name} arrives ${slot}.`,
    express: (name) => `${name} is sending you an express parcel.`,
    agreed: (name) => `A driver is bringing your parcel from ${name}.`,
    soon: (name, minutes) => `Your parcel from ${name} arrives in about ${minutes} minutes.`,
    collection: (name, link) => `${name}: a driver is coming to pick up your parcel. QR code to show: ${link}`,
  },
};

/** To the recipient of the parcel. For a collection that is the workshop, which needs the code as well. */
export function recipientSms(facts: SmsFacts, language: Language): string {
  const { merchantName, referenceNumber, isCollection, isExpress, slot, link } = facts;
  const texts = TEXTS[language];
  const end = texts.end(link);
  if (isCollection) return toGsm(`${texts.collected(referenceNumber)} ${end}`);
  if (slot) return fit(merchantName, (name) => `${texts.inSlot(name, slot)} ${end}`);
  return fit(merchantName, (name) => `${isExpress ? texts.express(name) : texts.agreed(name)} ${end}`);
}

/** To the recipient, shortly before the arrival. */
export function soonSms({ merchantName, minutes, link }: SmsFacts, language: Language): string {
  const { soon, end } = TEXTS[language];
  return fit(merchantName, (name) => `${soon(name, minutes ?? 0)} ${end(link)}`);
}

/** To the contact of a collection. */
export function collectionSms({ merchantName, link }: SmsFacts, language: Language): string {
  return fit(merchantName, (name) => TEXTS[language].collection(name, link));
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
