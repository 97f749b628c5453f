import type { ImportColumn, ImportField } from '@navette/contract';
import { normalizeText } from '../../text/normalize-text.ts';

const COLLECTION = ['collecte', 'collection', 'enlevement', 'retour', 'return'];
const DELIVERY = ['livraison', 'delivery'];

/** The values of a line by field, without blank cells. */
export type LineValues = Partial<Record<ImportField, string>>;

export function valuesOf(cells: readonly string[], columns: readonly ImportColumn[]): LineValues {
  const entries = cells.flatMap((cell, i) => {
    const field = columns[i]?.field;
    return field && cell ? [[field, cell] as const] : [];
  });
  return Object.fromEntries(entries);
}

/** The request body of a line. An unreadable value stays as it is, and the schema refuses it. */
export function toRequest(values: LineValues): Record<string, unknown> {
  const request: Record<string, unknown> = {};
  for (const [field, text] of Object.entries(values) as [ImportField, string][]) {
    const [parent = '', child] = field === 'kind' ? ['isCollection'] : field.split('.');
    const value = readCell(field, text, values);
    if (child === undefined) request[parent] = value;
    else request[parent] = { ...(request[parent] as object | undefined), [child]: value };
  }
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
      return restoreLeadingZero(text, /^\d{4}$/, values['deliveryAddress.country']);
    case 'pickupAddress.postalCode':
      return restoreLeadingZero(text, /^\d{4}$/, values['pickupAddress.country']);
    case 'deliveryAddress.phoneNumber':
      return restoreLeadingZero(text, /^[1-9]\d{8}$/, values['deliveryAddress.country']);
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
  const kind = normalizeText(text);
  if (COLLECTION.includes(kind)) return true;
  return DELIVERY.includes(kind) ? false : text;
}

/** `20/05/2030`, the French notation; any other text is validated as ISO 8601. */
function readDate(text: string): string {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/.exec(text) ?? [];
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text;
}

/** Spreadsheets read 01000 and 0612345678 as numbers and drop the leading zero. */
function restoreLeadingZero(text: string, bare: RegExp, country = 'France'): string {
  return bare.test(text) && normalizeText(country) === 'france' ? `0${text}` : text;
}
