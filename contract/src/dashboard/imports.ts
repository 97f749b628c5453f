import Type, { type Static } from 'typebox';
import { BATCH_BODY_LIMIT_BYTES } from '../limits.ts';
import { Closed, Euros, File, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { BLOCKS } from './account.ts';
import { defineEndpoints } from './endpoint.ts';
import { EXPORT_LANGUAGES } from './shipment-list.ts';

export const MAX_IMPORT_LINES = 5_000;
export const IMPORT_BODY_LIMIT_BYTES = BATCH_BODY_LIMIT_BYTES + 64 * 1024; // JSON around a file of 8 MiB
export const IMPORT_KEPT_DAYS = 30; // then its lines, which contain personal data, are erased
export const SHOWN_IMPORT_ERRORS = 200; // the error file contains all of them

/** previewed: nothing is created yet. running: a worker creates the lines. done and cancelled are final. */
export const IMPORT_STATES = ['previewed', 'running', 'done', 'cancelled'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** The fields of a column: paths in the body of a creation, except `kind`. */
export const IMPORT_FIELDS = [
  'externalReference.orderId',
  'deliveryAddress.recipientName',
  'deliveryAddress.street',
  'deliveryAddress.postalCode',
  'deliveryAddress.city',
  'deliveryAddress.country',
  'deliveryAddress.phoneNumber',
  'deliveryAddress.email',
  'parcelDetails.weight',
  'parcelDetails.nature',
  'scheduledDate',
  'timeSlot',
  'groupReference',
  'notes',
  'kind',
  'collectionContact.name',
  'collectionContact.phoneNumber',
  'collectionContact.email',
  'pickupAddress.street',
  'pickupAddress.postalCode',
  'pickupAddress.city',
  'pickupAddress.country',
] as const;
export type ImportField = (typeof IMPORT_FIELDS)[number];

const ImportColumn = Closed(
  {
    header: Type.String({ description: 'The title in the file.' }),
    field: Nullable(OneOf(IMPORT_FIELDS, { description: 'The matched field; null when the column is ignored.' })),
  },
  { title: 'ImportColumn' },
);
export type ImportColumn = Static<typeof ImportColumn>;

const ImportError = Closed(
  {
    line: Type.Integer({ description: 'The line number in the file; the header is line 1.' }),
    field: Nullable(
      Type.String({
        description: 'Path of the field in the body of a creation; null when the error concerns the whole line.',
      }),
    ),
    rule: Type.String({ description: 'The violated rule of the schema, or the slug of the refusal.' }),
    message: Type.String(),
    value: Nullable(Type.String({ description: 'The value in the file.' })),
  },
  { title: 'ImportError' },
);
export type ImportError = Static<typeof ImportError>;

const ImportSample = Closed(
  {
    line: Type.Integer(),
    orderId: Nullable(Type.String()),
    recipientName: Type.String(),
    street: Type.String(),
    postalCode: Type.String(),
    city: Type.String(),
    weight: Type.Number(),
    nature: Type.String(),
    scheduledDate: Nullable(Type.String()),
    timeSlot: Nullable(Type.String()),
    price: Euros(),
  },
  { title: 'ImportSample' },
);
export type ImportSample = Static<typeof ImportSample>;

const summary = {
  id: Id('Import id'),
  filename: Type.String(),
  state: OneOf(IMPORT_STATES),
  lines: Type.Integer({ description: 'Non-blank lines, without the header.' }),
  good: Type.Integer({ description: 'Lines that can be created.' }),
  bad: Type.Integer({ description: 'Lines with errors in the preview.' }),
  created: Type.Integer(),
  failed: Type.Integer({ description: 'Good lines that were refused when they were created.' }),
  amount: Euros({ description: 'The price of the good lines in the preview.' }),
  createdBy: Nullable(Type.String()),
  createdAt: Instant(),
  startedAt: Nullable(Instant()),
  finishedAt: Nullable(Instant()),
  erasedAt: Nullable(Instant({ description: 'When its lines were erased, with errors and sample.' })),
};
const ImportSummary = Closed(summary, { title: 'ImportSummary' });
export type ImportSummary = Static<typeof ImportSummary>;

const Import = Closed(
  {
    ...summary,
    columns: Type.Array(ImportColumn),
    missingFields: Type.Array(OneOf(IMPORT_FIELDS), { description: 'Required fields without a column.' }),
    errors: Type.Array(ImportError, { description: `The first ${SHOWN_IMPORT_ERRORS}, in line order.` }),
    sample: Type.Array(ImportSample, { description: 'The first good lines, as parsed.' }),
    balance: Euros({ description: 'The current balance of the account.' }),
    sameFileAs: Nullable(
      Closed(
        { id: Id('Import id'), startedAt: Instant() },
        { description: 'An earlier, started import of the same file: this one would create the shipments again.' },
      ),
    ),
  },
  { title: 'Import' },
);
export type Import = Static<typeof Import>;

const ImportRequest = Type.Object({
  filename: Text({ maxLength: 200 }),
  text: Type.String({ minLength: 1, description: 'The file as text, separated by semicolons, commas or tabs.' }),
});
export type ImportRequest = Static<typeof ImportRequest>;

const ImportParams = Type.Object({ id: Type.String() });
const ImportAnswer = Closed({ success: Success, import: Import });
const ImportsAnswer = Closed({
  success: Success,
  imports: Type.Array(ImportSummary, { description: 'Newest first.' }),
  nextCursor: Nullable(Type.String()),
});
const ImportsQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
});
const TemplateQuery = Type.Object({ language: Type.Optional(OneOf(EXPORT_LANGUAGES, { default: 'fr' })) });
const Csv = File('text/csv');

export const importEndpoints = defineEndpoints({
  previewImport: {
    section: 'Imports',
    summary: 'Preview an import; nothing is created',
    needs: 'ship',
    body: ImportRequest,
    bodyLimit: IMPORT_BODY_LIMIT_BYTES,
    answers: { 201: ImportAnswer },
    refusals: [...BLOCKS, 'EMPTY_IMPORT', 'TOO_MANY_LINES', 'UNREADABLE_FILE'],
  },
  listImports: {
    section: 'Imports',
    summary: 'List the account’s imports',
    needs: 'read',
    query: ImportsQuery,
    answers: { 200: ImportsAnswer },
  },
  importTemplate: {
    section: 'Imports',
    summary: 'Download a template',
    needs: 'read',
    query: TemplateQuery,
    answers: { 200: Csv },
  },
  readImport: {
    section: 'Imports',
    summary: 'Read one import: columns, errors and progress',
    needs: 'read',
    params: ImportParams,
    answers: { 200: ImportAnswer },
    findsOne: true,
  },
  startImport: {
    section: 'Imports',
    summary: 'Create the good lines',
    description: 'Idempotent: each line is created once.',
    needs: 'ship',
    params: ImportParams,
    answers: { 200: ImportAnswer },
    refusals: ['IMPORT_OVER', 'NOTHING_TO_IMPORT'],
    findsOne: true,
  },
  cancelImport: {
    section: 'Imports',
    summary: 'Cancel an import; created shipments stay',
    needs: 'ship',
    params: ImportParams,
    answers: { 200: ImportAnswer },
    refusals: ['IMPORT_OVER'],
    findsOne: true,
  },
  importErrors: {
    section: 'Imports',
    summary: 'Download the lines that were not created, with the reason, to correct and import again',
    needs: 'read',
    params: ImportParams,
    answers: { 200: Csv },
    findsOne: true,
  },
});
