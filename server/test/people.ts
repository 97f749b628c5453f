import type { ShipmentRequest } from '@navette/contract';
import { shipmentRequest } from './shipment-request.ts';

/** A person with unique details, so that a search for any of them finds this person only. */
export interface Person {
  name: string;
  street: string;
  phone: string;
  email: string;
  notes: string;
}

let count = 0;

export function newPerson(): Person {
  const n = String(++count).padStart(3, '0');
  return {
    name: `Quitterie Zéphyrin${n}`,
    street: `${n} impasse des Mésanges${n}`,
    phone: `+336431${n}97`,
    email: `Quitterie.Z${n}@Courrier${n}.example.org`,
    notes: `Digicode B${n}74, demander Tatie${n}`,
  };
}

/** Every form in which the person's details may be stored: as sent, in lower case, without accents, by each part. */
export function tracesOf({ name, street, phone, email, notes }: Person): string[] {
  const [, lastName = ''] = name.split(' ');
  const plain = (text: string) => text.normalize('NFKD').replaceAll(/\p{Mark}/gu, '');
  const national = phone.slice(3);
  const grouped = `0${national}`.replaceAll(/(..)(?=.)/g, '$1 ');
  const texts = [lastName, street.slice(4), email, email.split('@')[0] as string, ...notes.split(', ')];
  return [...texts.flatMap((text) => [text, plain(text)]), national, grouped].map((text) => text.toLowerCase());
}

/** The request that creates a shipment for this person. */
export const requestFor = (person: Person, changes: Partial<ShipmentRequest> = {}): ShipmentRequest => ({
  ...shipmentRequest(),
  deliveryAddress: { ...shipmentRequest().deliveryAddress, ...contactOf(person), street: person.street },
  notes: person.notes,
  ...changes,
});

const contactOf = ({ name, phone, email }: Person) => ({ recipientName: name, phoneNumber: phone, email });
