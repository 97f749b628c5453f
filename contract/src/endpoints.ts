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

/** Every path of the table starts with this. */
export const BASE_PATH = '/pro/api/v1';

export interface Endpoint extends EndpointShape {
  method: Method;
  path: string;
  section: 'Shipments' | 'Labels' | 'Rates' | 'Account' | 'Webhooks';
  /** Business slugs it may answer with, beside the access ones that every endpoint shares. */
  refusals?: readonly ErrorSlug[];
  /** Says when a 400 carries a message and nothing else. */
  messageOnly?: string;
  /** The envelope of a failure on our side; 500 INTERNAL_ERROR when absent. */
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
      'Answers 201, or 200 with `idempotent: true` when the key in `X-Idempotency-Key` already made one: take both as success. Keep the key before calling and send it again on a 429, a 5xx or a 400 without slug.',
    headers: shipment.IdempotencyHeaders,
    body: shipment.ShipmentRequest,
    answers: { 200: shipment.ReplayAnswer, 201: shipment.CreatedAnswer },
    refusals: [...accountChecks, 'INSUFFICIENT_BALANCE', 'IDEMPOTENCY_KEY_CONFLICT'],
    messageOnly: 'Slot unknown, past or without its date; credit limit exceeded; failure on our side.',
    unexpectedFailure: 'message-only',
  },
  createBatch: {
    method: 'POST',
    path: '/shipping/batch',
    section: 'Shipments',
    summary: 'Create many shipments in one call',
    description:
      '200 when all were created, 207 when some were, 400 when none was. Retry only the entries of `errors`. There is no idempotency here: sending the call again ships again.',
    body: shipment.BatchRequest,
    answers: { 200: shipment.BatchAnswer, 207: shipment.BatchAnswer, 400: shipment.BatchAnswer },
    refusals: accountChecks,
    messageOnly: 'Too many entries.',
    bodyLimit: BATCH_BODY_LIMIT_BYTES,
  },
  setPickupAddress: {
    method: 'PUT',
    path: '/shipping/pickup-address',
    section: 'Account',
    summary: 'Set the account’s pickup address',
    description:
      'Replaces the whole address. Without coordinates it is geocoded, perhaps only to its town: look at `location` in the answer.',
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
    summary: 'Read one shipment by its reference',
    params: shipment.ReferenceParams,
    answers: { 200: shipment.DocumentAnswer },
    findsOne: true,
  },
  trackShipment: {
    method: 'GET',
    path: '/shipping/tracking/:referenceNumber',
    section: 'Shipments',
    summary: 'Where a shipment is',
    params: shipment.ReferenceParams,
    answers: { 200: shipment.TrackingAnswer },
    findsOne: true,
  },
  exportShipments: {
    method: 'GET',
    path: '/shipping/labels',
    section: 'Shipments',
    summary: 'All shipments of the account, newest first, in one streamed answer',
    answers: { 200: shipment.DocumentsAnswer },
  },
  getStats: {
    method: 'GET',
    path: '/shipping/stats',
    section: 'Shipments',
    summary: 'Counts and amounts, in all and by day',
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
    description: 'Possible until a driver has the parcel. Cancelling again answers 200 and changes nothing.',
    params: shipment.ShipmentParams,
    body: shipment.CancelRequest,
    answers: { 200: shipment.CreatedAnswer },
    messageOnly: 'The parcel has left: too late to cancel.',
    findsOne: true,
  },
  createDownloadLink: {
    method: 'POST',
    path: '/shipping/:id/download-link',
    section: 'Labels',
    summary: 'A link that saves the label',
    description: 'Take the link exactly as given. It needs no key: whoever has it sees the recipient’s address.',
    params: shipment.ShipmentParams,
    answers: { 200: shipment.DownloadLinkAnswer },
    findsOne: true,
  },
  createViewLink: {
    method: 'POST',
    path: '/shipping/:id/view-link',
    section: 'Labels',
    summary: 'A link that shows the label',
    params: shipment.ShipmentParams,
    answers: { 200: shipment.ViewLinkAnswer },
    findsOne: true,
  },
  downloadLabel: {
    method: 'GET',
    path: '/shipping/:id/download',
    section: 'Labels',
    summary: 'Redirect to the label',
    description: 'Follow the redirection without your key: the file needs none.',
    params: shipment.ShipmentParams,
    answers: { 302: Nothing },
    findsOne: true,
  },
  exportLabels: {
    method: 'POST',
    path: '/shipping/pdf/export',
    section: 'Labels',
    summary: 'Many labels in one PDF',
    description:
      'A page for each shipment: `selected` in the order of `shippingIds`, `filtered` newest first. One unknown or foreign id, or no match, and nothing is produced.',
    body: shipment.ExportRequest,
    answers: { 200: Pdf },
    messageOnly: 'More labels match the filters than one file may hold.',
    findsOne: true,
  },
  quoteRate: {
    method: 'POST',
    path: '/rates',
    section: 'Rates',
    summary: 'Price a parcel',
    description: 'The computation that bills a creation, without creating anything.',
    body: RateRequest,
    answers: { 200: RateAnswer },
    messageOnly: 'No weight at all; slot unknown, past or without its date; failure on our side.',
    unexpectedFailure: 'message-only',
  },
  getAccount: {
    method: 'GET',
    path: '/account',
    section: 'Account',
    summary: 'The account’s settings, slots and balance',
    answers: { 200: AccountAnswer },
  },
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    section: 'Webhooks',
    summary: 'List subscriptions, with their secrets',
    answers: { 200: webhook.WebhooksAnswer },
  },
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    section: 'Webhooks',
    summary: 'Subscribe an address to events',
    description:
      'One subscription per address. Keep the `secret` of the answer: every request to you is signed with it.',
    body: webhook.WebhookRequest,
    answers: { 201: webhook.WebhookAnswer },
    unexpectedFailure: 'validation-error',
  },
  updateWebhook: {
    method: 'PUT',
    path: '/webhooks/:id',
    section: 'Webhooks',
    summary: 'Change or pause a subscription',
    description: 'What is absent stays as it is. With `isActive: false` nothing is sent, not even what was waiting.',
    params: webhook.WebhookParams,
    body: webhook.WebhookChange,
    answers: { 200: webhook.WebhookAnswer },
    unexpectedFailure: 'validation-error',
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/webhooks/:id',
    section: 'Webhooks',
    summary: 'Remove a subscription',
    params: webhook.WebhookParams,
    answers: { 200: webhook.DoneAnswer },
    unexpectedFailure: 'validation-error',
  },
});

export type EndpointName = keyof typeof ENDPOINTS;
