import Type from 'typebox';
import type { EndpointShape } from './endpoint-shape.ts';
import type { ErrorSlug } from './errors.ts';
import { BATCH_BODY_LIMIT_BYTES } from './limits.ts';
import { File } from './schema-kit.ts';
import { AccountAnswer, CredentialsAnswer, PickupAddressAnswer } from './schemas/account.ts';
import { PickupAddressInput } from './schemas/address.ts';
import { RateAnswer, RateRequest } from './schemas/rate.ts';
import * as shipment from './schemas/shipment.ts';
import * as webhook from './schemas/webhook.ts';
import type { Method } from './scopes.ts';

/** The prefix of every path in this table. */
export const BASE_PATH = '/pro/api/v1';

export interface Endpoint extends EndpointShape {
  method: Method;
  path: string;
  section: 'Shipments' | 'Labels' | 'Rates' | 'Account' | 'Webhooks' | 'Event feed' | 'Test mode';
  /** Business slugs it may return, in addition to the access slugs of every endpoint. */
  refusals?: readonly ErrorSlug[];
  /** When a 400 has only a message, without a slug. */
  messageOnly?: string;
  /** Requests are counted in windows of this endpoint's own, of the account's size, not in those of its other requests. */
  hasOwnLimit?: true;
  /** The envelope of an internal error; 500 INTERNAL_ERROR when absent. */
  unexpectedFailure?: 'message-only' | 'validation-error';
}

const define = <const T extends Record<string, Endpoint>>(endpoints: T) => endpoints;

const Nothing = Type.Unsafe<never>({ description: 'No body.' });
const Pdf = File('application/pdf');
const accountChecks = [
  'CLIENT_TYPE_REQUIRED',
  'CONTRACT_SIGNATURE_REQUIRED',
  'PICKUP_ADDRESS_REQUIRED',
  'ACCOUNT_SUSPENDED',
  'PAYMENT_REQUIRED',
] as const;

export const ENDPOINTS = define({
  createShipment: {
    method: 'POST',
    path: '/shipping',
    section: 'Shipments',
    summary: 'Create one shipment',
    description:
      'Returns 201, or 200 with `idempotent: true` when the key in `X-Idempotency-Key` has already created the shipment: treat both as success. Store the key before the call and send it again after a 429, a 5xx or a 400 without a slug.',
    headers: shipment.IdempotencyHeaders,
    body: shipment.ShipmentRequest,
    answers: { 200: shipment.ReplayAnswer, 201: shipment.CreatedAnswer },
    refusals: [...accountChecks, 'INSUFFICIENT_BALANCE', 'IDEMPOTENCY_KEY_CONFLICT'],
    messageOnly: 'The slot is unknown, in the past or without a date; the credit limit is exceeded; an internal error.',
    unexpectedFailure: 'message-only',
  },
  createBatch: {
    method: 'POST',
    path: '/shipping/batch',
    section: 'Shipments',
    summary: 'Create many shipments in one call',
    description:
      'Returns 200 when all entries were created, 207 when some were, 400 when none was. Retry only the entries in `errors`. This call is not idempotent: sending it again creates the shipments again.',
    body: shipment.BatchRequest,
    answers: { 200: shipment.BatchAnswer, 207: shipment.BatchAnswer, 400: shipment.BatchAnswer },
    refusals: accountChecks,
    messageOnly: 'The call has too many entries.',
    bodyLimit: BATCH_BODY_LIMIT_BYTES,
  },
  setPickupAddress: {
    method: 'PUT',
    path: '/shipping/pickup-address',
    section: 'Account',
    summary: 'Set the account’s pickup address',
    description:
      'Replaces the whole address. An address without coordinates is geocoded, possibly only to the town: check `location` in the response.',
    body: PickupAddressInput,
    answers: { 200: PickupAddressAnswer },
    refusals: ['PICKUP_ADDRESS_NOT_GEOCODABLE'],
  },
  listShipments: {
    method: 'GET',
    path: '/shipping',
    section: 'Shipments',
    summary: 'List shipments, newest first',
    query: shipment.ListQuery,
    answers: { 200: shipment.ListAnswer },
  },
  getShipment: {
    method: 'GET',
    path: '/shipping/:id',
    section: 'Shipments',
    summary: 'Read one shipment',
    params: shipment.ShipmentParams,
    answers: { 200: shipment.DocumentAnswer },
    findsOne: true,
  },
  getShipmentByReference: {
    method: 'GET',
    path: '/shipping/reference/:referenceNumber',
    section: 'Shipments',
    summary: 'Read one shipment by its reference number',
    params: shipment.ReferenceParams,
    answers: { 200: shipment.DocumentAnswer },
    findsOne: true,
  },
  trackShipment: {
    method: 'GET',
    path: '/shipping/tracking/:referenceNumber',
    section: 'Shipments',
    summary: 'Track a shipment',
    params: shipment.ReferenceParams,
    answers: { 200: shipment.TrackingAnswer },
    findsOne: true,
  },
  exportShipments: {
    method: 'GET',
    path: '/shipping/labels',
    section: 'Shipments',
    summary: 'Stream all shipments of the account, newest first',
    answers: { 200: shipment.DocumentsAnswer },
  },
  getStats: {
    method: 'GET',
    path: '/shipping/stats',
    section: 'Shipments',
    summary: 'Read counts and amounts, in total and by day',
    answers: { 200: shipment.StatsAnswer },
  },
  testCredentials: {
    method: 'GET',
    path: '/shipping/auth/test',
    section: 'Account',
    summary: 'Check a key and a client id',
    answers: { 200: CredentialsAnswer },
  },
  cancelShipment: {
    method: 'PUT',
    path: '/shipping/:id/cancel',
    section: 'Shipments',
    summary: 'Cancel a shipment and refund it',
    description: 'Possible until a driver has picked the parcel up. Cancelling again returns 200 and changes nothing.',
    params: shipment.ShipmentParams,
    body: shipment.CancelRequest,
    answers: { 200: shipment.CreatedAnswer },
    messageOnly: 'A driver has picked the parcel up: it is too late to cancel.',
    findsOne: true,
  },
  createDownloadLink: {
    method: 'POST',
    path: '/shipping/:id/download-link',
    section: 'Labels',
    summary: 'Create a link that downloads the label',
    description:
      'Use the link exactly as returned. It needs no key: anyone with the link can see the recipient’s address.',
    params: shipment.ShipmentParams,
    answers: { 200: shipment.DownloadLinkAnswer },
    findsOne: true,
  },
  createViewLink: {
    method: 'POST',
    path: '/shipping/:id/view-link',
    section: 'Labels',
    summary: 'Create a link that displays the label',
    params: shipment.ShipmentParams,
    answers: { 200: shipment.ViewLinkAnswer },
    findsOne: true,
  },
  downloadLabel: {
    method: 'GET',
    path: '/shipping/:id/download',
    section: 'Labels',
    summary: 'Redirect to the label',
    description: 'Follow the redirect without your key: the file does not need it.',
    params: shipment.ShipmentParams,
    answers: { 302: Nothing },
    findsOne: true,
  },
  exportLabels: {
    method: 'POST',
    path: '/shipping/pdf/export',
    section: 'Labels',
    summary: 'Export many labels as one PDF',
    description:
      'One page per shipment: `selected` in the order of `shippingIds`, `filtered` newest first. If one id is unknown or belongs to another account, or if nothing matches, no PDF is created.',
    body: shipment.ExportRequest,
    answers: { 200: Pdf },
    messageOnly: 'More labels match the filters than one file may contain.',
    findsOne: true,
  },
  quoteRate: {
    method: 'POST',
    path: '/rates',
    section: 'Rates',
    summary: 'Price a parcel',
    description: 'Uses the same computation as a creation, and creates nothing.',
    body: RateRequest,
    answers: { 200: RateAnswer },
    messageOnly: 'The weight is missing; the slot is unknown, in the past or without a date; an internal error.',
    unexpectedFailure: 'message-only',
  },
  getAccount: {
    method: 'GET',
    path: '/account',
    section: 'Account',
    summary: 'Read the account’s settings, slots and balance',
    answers: { 200: AccountAnswer },
  },
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    section: 'Webhooks',
    summary: 'List webhooks, with their secrets',
    answers: { 200: webhook.WebhooksAnswer },
  },
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    section: 'Webhooks',
    summary: 'Create a webhook',
    description: 'One webhook per URL. Store the `secret` of the response: it signs every request to your endpoint.',
    body: webhook.WebhookRequest,
    answers: { 201: webhook.WebhookAnswer },
    unexpectedFailure: 'validation-error',
  },
  updateWebhook: {
    method: 'PUT',
    path: '/webhooks/:id',
    section: 'Webhooks',
    summary: 'Change or pause a webhook',
    description:
      'Absent fields stay unchanged. With `isActive: false` nothing is sent, and pending deliveries are cancelled.',
    params: webhook.WebhookParams,
    body: webhook.WebhookChange,
    answers: { 200: webhook.WebhookAnswer },
    unexpectedFailure: 'validation-error',
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/webhooks/:id',
    section: 'Webhooks',
    summary: 'Delete a webhook',
    params: webhook.WebhookParams,
    answers: { 200: webhook.DoneAnswer },
    unexpectedFailure: 'validation-error',
  },
});

export type EndpointName = keyof typeof ENDPOINTS;
