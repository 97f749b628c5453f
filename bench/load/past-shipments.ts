import { randomBytes } from 'node:crypto';
import { ERASED } from '@navette/contract';
import { ALPHABET, withCheckCharacter } from '../../server/src/text/check-character.ts';

/** Columns of `pastShipment`, in the format of COPY. */
export const SHIPMENT_COLUMNS =
  'account_id, id, number, reference_number, status, price_cents, weight, nature, is_collection, group_reference, ' +
  'pickup_address, delivery_address, estimated_delivery_at, platform, order_id, metadata, driver_id, delivery_code, label_suffix, ' +
  'picked_up_at, delivered_at, cancelled_at, personal_data_erased_at, status_history, created_at, updated_at';
export const PRICE_CENTS = 850;

const PICKUP =
  '{"location":{"type":"Point","coordinates":[2.3601,48.8556]},"street":"1 rue de Rivoli","city":"Paris","postalCode":"75001","country":"France"}';
const DELIVERY =
  '{"recipientName":"Camille Durand","street":"8 avenue de l’Opéra","city":"Paris","postalCode":"75001","country":"France","phoneNumber":"+33612345678","email":"camille@example.org","coordinates":{"latitude":48.8638,"longitude":2.3345}}';
const TOWN = '"city":"Paris","postalCode":"75001","country":"France"';
const ERASED_PICKUP = `{"location":null,"street":"${ERASED}",${TOWN}}`;
const ERASED_DELIVERY = `{"recipientName":"${ERASED}","street":"${ERASED}",${TOWN},"phoneNumber":"${ERASED}","email":"${ERASED}","coordinates":null}`;
const NULL = '\\N';
const HOUR_MS = 3_600_000;

export interface PastShipment {
  accountId: string;
  number: number;
  at: Date;
  status: 'created' | 'in_transit' | 'delivered' | 'cancelled';
  driverId?: string;
  /** Without personal data, as after the retention. */
  isErased?: boolean;
  hasCode?: boolean;
}

/** A shipment of the past as a line of COPY, with its id and reference. */
export function pastShipment({
  accountId,
  number,
  at,
  status,
  driverId,
  isErased = false,
  hasCode = !isErased,
}: PastShipment) {
  const id = timeOrderedId(at);
  const reference = newReference();
  const created = at.toISOString();
  const ended = new Date(at.getTime() + HOUR_MS).toISOString();
  const hasEnded = status === 'delivered' || status === 'cancelled';
  const steps = status === 'created' ? [] : [`{"status":"${status}","at":"${ended}"}`];
  const line = [
    accountId,
    id,
    number,
    reference,
    status,
    PRICE_CENTS,
    2.5,
    isErased ? ERASED : 'Vêtements',
    'f',
    number % 5 === 0 && !isErased ? groupOf(number) : NULL,
    isErased ? ERASED_PICKUP : PICKUP,
    isErased ? ERASED_DELIVERY : DELIVERY,
    created,
    'api',
    isErased ? NULL : number,
    '{}',
    (status !== 'created' && status !== 'cancelled' && driverId) || NULL,
    hasCode ? '123456' : NULL,
    randomHex(16),
    status === 'created' || status === 'cancelled' ? NULL : created,
    status === 'delivered' ? ended : NULL,
    status === 'cancelled' ? ended : NULL,
    isErased ? ended : NULL,
    `[${[`{"status":"created","at":"${created}"}`, ...steps].join(',')}]`,
    created,
    hasEnded ? ended : created,
  ].join('\t');
  return { id, reference, line: `${line}\n` };
}

let made = 0;

/** Random characters first, as in those of the service, then a serial number: among millions, random ones would repeat. */
function newReference(): string {
  let rest = Math.floor(Math.random() * ALPHABET.length ** 3) + ALPHABET.length ** 3 * made++;
  let characters = '';
  while (characters.length < 9) {
    characters += ALPHABET[rest % ALPHABET.length];
    rest = Math.floor(rest / ALPHABET.length);
  }
  return withCheckCharacter(characters);
}

/** The group of one shipment in five; a group has ten. */
export const groupOf = (number: number): string => `GROUP-${Math.floor(number / 50)}`;

/** UUIDv7 of a past moment. */
export function timeOrderedId(at: Date): string {
  const hex = `${at.getTime().toString(16).padStart(12, '0')}7${randomHex(10).slice(1)}`;
  const variant = `8${hex.slice(17, 20)}`;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${variant}-${hex.slice(20, 32)}`;
}

let drawn = Buffer.alloc(0);
let used = 0;

/** Drawn many at a time: a system call for each would take most of the time of a million shipments. */
function randomHex(bytes: number): string {
  if (used + bytes > drawn.length) {
    drawn = randomBytes(1 << 16);
    used = 0;
  }
  used += bytes;
  return drawn.toString('hex', used - bytes, used);
}
