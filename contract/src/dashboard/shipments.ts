import Type from 'typebox';
import { MAX_IDEMPOTENCY_KEY_LENGTH } from '../limits.ts';
import { Closed, File, Success, Text } from '../schema-kit.ts';
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

/** Where a shipment was made: the platform of its external reference. */
export const SHIPMENT_SOURCES = ['api', 'dashboard', 'import'] as const;
export type ShipmentSource = (typeof SHIPMENT_SOURCES)[number];

const CreationHeaders = Type.Object({
  'x-idempotency-key': Type.String({
    minLength: 1,
    maxLength: MAX_IDEMPOTENCY_KEY_LENGTH,
    pattern: '\\S',
    description: 'Made once per form: however often it is sent, it ships once.',
  }),
});
const CreationAnswer = Closed({
  success: Success,
  replayed: Type.Boolean({ description: 'The key had made this shipment before.' }),
  shipment: Shipment,
});

const CancelBody = Type.Object({ reason: Text({ maxLength: 1_000 }) });
const CancelAnswer = Closed({ success: Success, shipment: Shipment });

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
    summary: 'The status of shipments that are on screen',
    needs: 'read',
    query: StatusesQuery,
    answers: { 200: StatusesAnswer },
  },
  exportShipments: {
    section: 'Shipments',
    summary: 'The list as a file for spreadsheets, streamed',
    needs: 'read',
    query: ExportQuery,
    answers: { 200: File('text/csv') },
  },
  readShipment: {
    section: 'Shipments',
    summary: 'One shipment with all that happened to it',
    needs: 'read',
    params: ShipmentParams,
    answers: { 200: DetailAnswer },
    findsOne: true,
  },
  quoteShipment: {
    section: 'Shipments',
    summary: 'What a shipment would be charged, step by step',
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
  readLabel: {
    section: 'Shipments',
    summary: 'The label, to be shown',
    needs: 'read',
    params: ShipmentParams,
    answers: { 200: File('application/pdf') },
    findsOne: true,
  },
  printLabels: {
    section: 'Shipments',
    summary: 'Many labels in one file',
    needs: 'read',
    body: LabelsRequest,
    answers: { 200: File('application/pdf') },
    refusals: ['TOO_MANY_LABELS'],
    findsOne: true,
  },
});
