import {
  type FieldError,
  MAX_EXTERNAL_REFERENCE_BYTES,
  MAX_METADATA_BYTES,
  type Shipment,
  type ShipmentRequest,
} from '@navette/contract';
import type { FreeContent } from '../../database/json-columns.ts';

const MAX_DEPTH = 20;

/** The metadata as stored: with the idempotency key, which replaces a field of that name. */
export const readMetadata = ({ metadata }: ShipmentRequest, idempotencyKey: string | null): FreeContent => ({
  ...metadata,
  ...(idempotencyKey === null ? {} : { idempotencyKey }),
});

/** The contract's fields, and all other fields the merchant sent, or null. The server sets the platform. */
export function readExternalReference({ externalReference = {} }: ShipmentRequest, platform: string) {
  const { platform: _, orderId = null, shopDomain = null, ...extra } = externalReference as FreeContent;
  const stable = { platform, orderId, shopDomain } as Shipment['externalReference'];
  return { externalReference: stable, externalReferenceExtra: Object.keys(extra).length > 0 ? extra : null };
}

/** Free-form fields are limited in bytes of JSON and in depth, because every full read includes them. */
export function checkFreeContent(request: ShipmentRequest, idempotencyKey: string | null): FieldError[] {
  const { externalReferenceExtra } = readExternalReference(request, '');
  return [
    ...checkBounds('metadata', readMetadata(request, idempotencyKey), MAX_METADATA_BYTES),
    ...checkBounds('externalReference', externalReferenceExtra, MAX_EXTERNAL_REFERENCE_BYTES),
  ];
}

function checkBounds(path: string, content: FreeContent | null, mostBytes: number): FieldError[] {
  const refused = (msg: string): FieldError[] => [{ type: 'field', msg, path, location: 'body' }];
  if (isDeeperThan(content, MAX_DEPTH)) return refused(`Au plus ${MAX_DEPTH} niveaux d’imbrication.`);
  // After the depth check: JSON.stringify is recursive, and a body may be nested a hundred thousand levels deep.
  const isTooLarge = Buffer.byteLength(JSON.stringify(content)) > mostBytes;
  return isTooLarge ? refused(`Au plus ${mostBytes} octets de JSON.`) : [];
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}
