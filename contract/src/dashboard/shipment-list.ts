import Type, { type Static } from 'typebox';
import { ExpectedArrival } from '../arrival.ts';
import { MAX_EXPORTED_LABELS, MAX_PAGE_SIZE } from '../limits.ts';
import { Closed, Euros, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { listFilters } from '../schemas/shipment.ts';
import { SHIPMENT_STATUSES, type ShipmentStatus } from '../statuses.ts';

export const SHIPMENT_KINDS = ['delivery', 'collection'] as const;

export const SHIPMENT_ORDERS = ['newest', 'oldest', 'earliest_delivery', 'latest_delivery'] as const;
export type ShipmentOrder = (typeof SHIPMENT_ORDERS)[number];

/** Relative to the account's local day, so that a saved filter stays useful. */
export const DELIVERY_DAYS = ['today', 'tomorrow'] as const;

const statuses = SHIPMENT_STATUSES.join('|');

const filters = {
  search: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The beginning of an order id, a reference, any word of a recipient’s name, or a town. Ignores case and accents.',
    }),
  ),
  status: Type.Optional(
    Type.String({
      maxLength: 200,
      pattern: `^(${statuses})(,(${statuses}))*$`,
      description: 'One or several, separated by commas.',
    }),
  ),
  from: listFilters.from,
  to: listFilters.to,
  groupReference: listFilters.groupReference,
  kind: Type.Optional(OneOf(SHIPMENT_KINDS)),
  delivery: Type.Optional(
    Type.Union([OneOf(DELIVERY_DAYS), Type.String({ format: 'date' })], {
      description:
        'The local day for which the delivery is promised: of the slot, the agreed pickup, or for express the creation.',
    }),
  ),
  late: Type.Optional(
    OneOf(['yes'], {
      description: 'Only shipments under way whose slot, or without a slot whose promised day, is over.',
    }),
  ),
  order: Type.Optional(
    OneOf(SHIPMENT_ORDERS, {
      default: 'newest',
      description:
        'By creation or by promised delivery. `delivery` and `late` imply an order by delivery; `search` and `groupReference` have their own.',
    }),
  ),
};
export const ShipmentFilters = Type.Object(filters);
export type ShipmentFilters = Static<typeof ShipmentFilters>;

export const ShipmentsQuery = Type.Object({
  ...filters,
  cursor: Type.Optional(Type.String({ maxLength: 1_000, description: '`nextCursor` of the previous page.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE_SIZE, default: 50 })),
});
export type ShipmentsQuery = Static<typeof ShipmentsQuery>;

export const ErasedAt = Nullable(
  Instant({ description: 'When its personal data was erased; its label was deleted too.' }),
);

const ShipmentLine = Closed(
  {
    id: Id('Shipment id'),
    referenceNumber: Type.String(),
    status: OneOf(SHIPMENT_STATUSES),
    orderId: Nullable(Type.String()),
    recipientName: Type.String(),
    city: Type.String(),
    postalCode: Type.String(),
    price: Euros(),
    isCollection: Type.Boolean(),
    scheduledDelivery: Closed({
      date: Nullable(Type.String({ format: 'date' })),
      timeSlot: Nullable(Type.String()),
      datetime: Nullable(Instant()),
    }),
    isLate: Type.Boolean({ description: 'Under way, and its slot or promised day is over.' }),
    arrival: ExpectedArrival,
    groupReference: Nullable(Type.String()),
    createdAt: Instant(),
    updatedAt: Instant(),
    personalDataErasedAt: ErasedAt,
    labelUrl: Type.String({ description: 'The URL of `readLabel` for this shipment.' }),
  },
  { title: 'ShipmentLine' },
);
export type ShipmentLine = Static<typeof ShipmentLine>;

export const ShipmentsAnswer = Closed({
  success: Success,
  shipments: Type.Array(ShipmentLine, {
    description:
      'In the `order` asked for; with `search`, in the order of the matches. A page may have fewer entries than `limit`, or none, and still have a `nextCursor`.',
  }),
  nextCursor: Nullable(Type.String()),
  counts: Closed(
    Object.fromEntries(SHIPMENT_STATUSES.map((status) => [status, Type.Integer()])) as Record<
      ShipmentStatus,
      Type.TInteger
    >,
    { title: 'ShipmentCounts', description: 'For the whole account, regardless of the filters.' },
  ),
});
export type ShipmentsAnswer = Static<typeof ShipmentsAnswer>;

export const StatusesQuery = Type.Object({
  ids: Type.String({
    maxLength: MAX_PAGE_SIZE * 37,
    description: `Up to ${MAX_PAGE_SIZE} shipment ids, separated by commas.`,
  }),
});
export const StatusesAnswer = Closed({
  success: Success,
  statuses: Type.Array(
    Closed({ id: Id('Shipment id'), status: OneOf(SHIPMENT_STATUSES), arrival: ExpectedArrival, updatedAt: Instant() }),
    {
      description: 'Only the account’s own shipments; other ids are ignored.',
    },
  ),
});

export const LABEL_FORMATS = ['page', 'a4', 'zpl'] as const;
export type LabelFormat = (typeof LABEL_FORMATS)[number];
export const LABELS_PER_SHEET = 4;

export const LabelsRequest = Type.Object(
  {
    ids: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: MAX_EXPORTED_LABELS })),
    importId: Type.Optional(Type.String({ maxLength: 36 })),
    part: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
    filters: Type.Optional(ShipmentFilters),
    format: Type.Optional(
      OneOf(LABEL_FORMATS, {
        default: 'page',
        description:
          '`page`: a PDF page of 100 × 150 mm per label. `a4`: a PDF of A4 sheets with four labels each. `zpl`: commands for thermal printers of 203 dpi, 100 × 150 mm per label.',
      }),
    ),
    firstPosition: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LABELS_PER_SHEET,
        default: 1,
        description:
          'With `a4`, the position of the first label on the first sheet, for sheets of stickers that are used in part: 1 top left, 2 top right, 3 bottom left, 4 bottom right.',
      }),
    ),
  },
  {
    description: `\`ids\`, in that order; or the shipments of an import in the order of its file, of which a part has ${MAX_EXPORTED_LABELS}; otherwise all shipments that match \`filters\`, in list order.`,
  },
);
export type LabelsRequest = Static<typeof LabelsRequest>;

export const EXPORT_LANGUAGES = ['fr', 'en'] as const;
export type ExportLanguage = (typeof EXPORT_LANGUAGES)[number];
export const ExportQuery = Type.Object({
  ...filters,
  language: Type.Optional(
    OneOf(EXPORT_LANGUAGES, {
      default: 'fr',
      description: '`fr` uses semicolons and decimal commas, `en` commas and decimal points.',
    }),
  ),
});
