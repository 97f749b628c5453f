import type { ImportColumn, ImportField } from '@navette/contract';
import { searchKey } from '../shipment-desk/index.ts';

const COLLECTION = ['collecte', 'collection', 'enlevement', 'retour', 'return'];
const DELIVERY = ['livraison', 'delivery'];

/** What a line says, by field; blank is absent. */
export type LineValues = Partial<Record<ImportField, string>>;

export function valuesOf(cells: readonly string[], columns: readonly ImportColumn[]): LineValues {
  const entries = cells.flatMap((cell, i) => {
    const field = columns[i]?.field;
    return field && cell ? [[field, cell] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The body of a creation as the line means it. What cannot be read stays as it is, for the schema to refuse. */
export function toRequest(values: LineValues): Record<string, unknown> {
  const request: Record<string, unknown> = {};
  for (const [field, text] of Object.entries(values) as [ImportField, string][]) {
    const [parent = '', child] = field === 'kind' ? ['isCollection'] : field.split('.');
    const value = readCell(field, text, values);
    if (child === undefined) request[parent] = value;
    else request[parent] = { ...(request[parent] as object | undefined), [child]: value };
  }
  // A line without them at all is told which of their fields are missing.
  request.deliveryAddress ??= {};
  request.parcelDetails ??= {};
  return request;
}

function readCell(field: ImportField, text: string, values: LineValues): unknown {
  switch (field) {
    case 'parcelDetails.weight':
      return readWeight(text);
    case 'kind':
      return readKind(text);
    case 'scheduledDate':
      return readDate(text);
    case 'deliveryAddress.postalCode':
      return withLostZero(text, /^\d{4}$/, values['deliveryAddress.country']);
    case 'pickupAddress.postalCode':
      return withLostZero(text, /^\d{4}$/, values['pickupAddress.country']);
    case 'deliveryAddress.phoneNumber':
      return withLostZero(text, /^[1-9]\d{8}$/, values['deliveryAddress.country']);
    default:
      return text;
  }
}

/** `2,5`, `2.5 kg`, `1 200`. */
function readWeight(text: string): number | string {
  const number = text
    .replace(/\s*kg$/i, '')
    .replaceAll(/\s/g, '')
    .replace(',', '.');
  return /^\d+(\.\d+)?$/.test(number) ? Number(number) : text;
}

function readKind(text: string): boolean | string {
  const kind = searchKey(text);
  if (COLLECTION.includes(kind)) return true;
  return DELIVERY.includes(kind) ? false : text;
}

/** `20/05/2030`, as people write it here; anything else is left to be judged as ISO 8601. */
function readDate(text: string): string {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text) ?? [];
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text;
}

/** Spreadsheets take 01000 and 0612345678 for numbers and drop the zero. */
function withLostZero(text: string, bare: RegExp, country = 'France'): string {
  return bare.test(text) && searchKey(country) === 'france' ? `0${text}` : text;
}
