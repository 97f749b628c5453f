import Type from 'typebox';
import { MAX_IDEMPOTENCY_KEY_LENGTH, MAX_RESENDS, RESEND_PAUSE_MINUTES } from '../limits.ts';
import { MESSAGE_KINDS } from '../message-kinds.ts';
import { Closed, File, OneOf, Success, Text } from '../schema-kit.ts';
import { Shipment, ShipmentParams, ShipmentRequest } from '../schemas/shipment.ts';
import { BLOCKS } from './account.ts';
import { defineEndpoints } from './endpoint.ts';
import { DetailAnswer } from './shipment-detail.ts';
import {
  ExportQuery,
  LabelsRequest,
  ShipmentsAnswer,
  ShipmentsQuery,
  StatusesAnswer,
  StatusesQuery,
} from './shipment-list.ts';
import { QuoteAnswer, QuoteRequest } from './shipment-quote.ts';

/** Where a shipment was created: the `platform` of its external reference. */
export const SHIPMENT_SOURCES = ['api', 'dashboard', 'import', 'recurring'] as const;
export type ShipmentSource = (typeof SHIPMENT_SOURCES)[number];

export const CreationHeaders = Type.Object({
  'x-idempotency-key': Type.String({
    minLength: 1,
    maxLength: MAX_IDEMPOTENCY_KEY_LENGTH,
    pattern: '\\S',
    description: 'Create one key per form: however often the form is sent, one shipment is created.',
  }),
});
const CreationAnswer = Closed({
  success: Success,
  replayed: Type.Boolean({ description: 'The key had already created this shipment.' }),
  shipment: Shipment,
});

const ProofParams = Type.Object({ id: Type.String({ description: 'Proof id' }) });
const CancelBody = Type.Object({ reason: Text({ maxLength: 1_000 }) });
const CancelAnswer = Closed({ success: Success, shipment: Shipment });

export const ResendBody = Type.Object({
  kind: OneOf(MESSAGE_KINDS, { description: 'The message, as listed with the shipment.' }),
});

const slotRefusals = ['SLOT_WITHOUT_DATE', 'DATE_WITHOUT_SLOT', 'UNKNOWN_SLOT', 'SLOT_PASSED'] as const;

export const shipmentEndpoints = defineEndpoints({
  listShipments: {
    section: 'Shipments',
    summary: 'List and search shipments',
    needs: 'read',
    query: ShipmentsQuery,
    answers: { 200: ShipmentsAnswer },
  },
  readStatuses: {
    section: 'Shipments',
    summary: 'Read the status of several shipments',
    needs: 'read',
    query: StatusesQuery,
    answers: { 200: StatusesAnswer },
  },
  exportShipments: {
    section: 'Shipments',
    summary: 'Stream the list as CSV',
    needs: 'read',
    query: ExportQuery,
    answers: { 200: File('text/csv') },
  },
  readShipment: {
    section: 'Shipments',
    summary: 'Read one shipment with its timeline, deliveries and messages',
    needs: 'read',
    params: ShipmentParams,
    answers: { 200: DetailAnswer },
    findsOne: true,
  },
  quoteShipment: {
    section: 'Shipments',
    summary: 'Price a shipment, step by step',
    needs: 'ship',
    body: QuoteRequest,
    answers: { 200: QuoteAnswer },
    refusals: slotRefusals,
  },
  createShipment: {
    section: 'Shipments',
    summary: 'Create a shipment',
    needs: 'ship',
    headers: CreationHeaders,
    body: ShipmentRequest,
    answers: { 200: CreationAnswer, 201: CreationAnswer },
    refusals: [...BLOCKS, ...slotRefusals, 'OVER_CREDIT_LIMIT', 'SETTINGS_CHANGED', 'IDEMPOTENCY_KEY_CONFLICT'],
  },
  cancelShipment: {
    section: 'Shipments',
    summary: 'Cancel a shipment and refund it',
    needs: 'ship',
    params: ShipmentParams,
    body: CancelBody,
    answers: { 200: CancelAnswer },
    refusals: ['TOO_LATE_TO_CANCEL'],
    findsOne: true,
  },
  resendMessage: {
    section: 'Shipments',
    summary: 'Send a message to the recipient again',
    description: `At most once every ${RESEND_PAUSE_MINUTES} minutes and ${MAX_RESENDS} times for a shipment. An SMS counts in the account’s budget of the day.`,
    needs: 'ship',
    params: ShipmentParams,
    body: ResendBody,
    answers: { 202: Closed({ success: Success }) },
    refusals: ['MESSAGE_NOT_SENDABLE', 'MESSAGE_SENT_RECENTLY', 'MESSAGE_SENT_TOO_OFTEN'],
    findsOne: true,
  },
  readLabel: {
    section: 'Shipments',
    summary: 'Read the label as a PDF',
    needs: 'read',
    params: ShipmentParams,
    answers: { 200: File('application/pdf') },
    refusals: ['LABEL_ERASED'],
    findsOne: true,
  },
  readProof: {
    section: 'Shipments',
    summary: 'Read a photo or signature',
    needs: 'read',
    params: ProofParams,
    answers: { 200: File('image/*') },
    findsOne: true,
  },
  printLabels: {
    section: 'Shipments',
    summary: 'Read many labels as one file',
    needs: 'read',
    body: LabelsRequest,
    answers: { 200: File('application/pdf', 'application/zpl') },
    refusals: ['TOO_MANY_LABELS', 'LABEL_ERASED'],
    findsOne: true,
  },
});
