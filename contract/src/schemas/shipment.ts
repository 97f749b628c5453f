import Type, { type Static } from 'typebox';
import {
  DEFAULT_PAGE_SIZE,
  MAX_BATCH_ENTRIES,
  MAX_EXPORTED_LABELS,
  MAX_EXTERNAL_REFERENCE_BYTES,
  MAX_GROUP_REFERENCE_LENGTH,
  MAX_IDEMPOTENCY_KEY_LENGTH,
  MAX_METADATA_BYTES,
  MAX_PAGE_SIZE,
} from '../limits.ts';
import { Closed, Email, Euros, Id, Instant, Nullable, OneOf, Success, Text } from '../schema-kit.ts';
import { SHIPMENT_STATUSES, type ShipmentStatus } from '../statuses.ts';
import { DeliveryAddress, DeliveryAddressInput, PickupAddress, PickupAddressInput } from './address.ts';
import { schedule, Weight } from './rate.ts';

const GroupReference = Type.String({ minLength: 1, maxLength: MAX_GROUP_REFERENCE_LENGTH, examples: ['ORDER-2041'] });

export const ShipmentRequest = Type.Object(
  {
    deliveryAddress: DeliveryAddressInput,
    parcelDetails: Type.Object({ weight: Weight, nature: Text({ examples: ['Vêtements'] }) }),
    pickupAddress: Type.Optional(PickupAddressInput),
    externalReference: Type.Optional(
      Type.Object(
        {
          orderId: Type.Optional(Type.String({ maxLength: 200, examples: ['2041'] })),
          shopDomain: Type.Optional(Type.String({ maxLength: 253, examples: ['shop.example.org'] })),
        },
        {
          additionalProperties: true,
          description: `Additional fields are stored, up to ${MAX_EXTERNAL_REFERENCE_BYTES} bytes of JSON, and returned in full reads and webhooks: do not put sensitive data here. \`platform\` is ignored.`,
        },
      ),
    ),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `Any content, up to ${MAX_METADATA_BYTES} bytes of JSON in UTF-8 including the idempotency key, which is stored in it. Returned in full reads only.`,
      }),
    ),
    ...schedule,
    isCollection: Type.Optional(Type.Boolean({ default: false })),
    collectionContact: Type.Optional(
      Type.Object({
        phoneNumber: Type.Optional(Text({ maxLength: 50 })),
        email: Type.Optional(Email()),
        name: Type.Optional(Text()),
      }),
    ),
    groupReference: Type.Optional(GroupReference),
    notes: Type.Optional(Type.String({ maxLength: 5_000 })),
  },
  {
    title: 'ShipmentRequest',
    description:
      'For a collection, `deliveryAddress` is your own address, `pickupAddress` your customer’s, and `collectionContact` needs a phone number and an e-mail address.',
  },
);
export type ShipmentRequest = Static<typeof ShipmentRequest>;

export const IdempotencyHeaders = Type.Object({
  'x-idempotency-key': Type.Optional(
    Type.String({
      maxLength: MAX_IDEMPOTENCY_KEY_LENGTH,
      description:
        'Create one key per shipment, store it before the call and send the same key with every retry. A UUIDv4 is recommended.',
    }),
  ),
});

const externalReference = {
  platform: Nullable(Type.String()),
  orderId: Nullable(Type.String()),
  shopDomain: Nullable(Type.String()),
};

const projection = {
  _id: Id('Shipment id'),
  referenceNumber: Type.String(),
  status: OneOf(SHIPMENT_STATUSES),
  price: Euros(),
  parcelDetails: Closed({ weight: Type.Number(), nature: Type.String() }),
  notes: Nullable(Type.String()),
  isCollection: Type.Boolean(),
  groupReference: Nullable(Type.String()),
  pickupAddress: PickupAddress,
  deliveryAddress: DeliveryAddress,
  scheduledDelivery: Closed({
    date: Nullable(Type.String({ format: 'date' })),
    timeSlot: Nullable(Type.String()),
    datetime: Nullable(Instant()),
  }),
  externalReference: Closed(externalReference),
  estimatedDeliveryDate: Nullable(Instant()),
  pdfUrl: Type.String({ pattern: '^/pdfs/bordereau_[^_/]+_[0-9a-f]{32}[.]pdf$' }),
  createdAt: Instant(),
  updatedAt: Instant(),
};

export const Shipment = Closed(projection, { title: 'Shipment', description: 'Stable: exactly these fields.' });
export type Shipment = Static<typeof Shipment>;

const AssignedDriver = Closed(
  {
    _id: Id('Driver id'),
    firstname: Type.String(),
    lastname: Type.String(),
    phoneNo: Type.String(),
    profilepic: Nullable(Type.String()),
    userRating: Nullable(Type.Number()),
  },
  { title: 'AssignedDriver' },
);

export const ShipmentDocument = Closed(
  {
    ...projection,
    externalReference: Type.Object(externalReference, {
      additionalProperties: true,
      description: 'Includes the additional fields that were sent when the shipment was created.',
    }),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    professional: Id('Account id'),
    deliverer: Type.Union([AssignedDriver, Type.String(), Type.Null()], {
      description: 'The driver; only the id when the driver cannot be resolved; null when no driver is assigned.',
    }),
    collectionContact: Nullable(
      Closed({ phoneNumber: Type.String(), email: Type.String(), name: Nullable(Type.String()) }),
    ),
    pickupTime: Nullable(Instant()),
    deliveryTime: Nullable(Instant()),
    cancelledAt: Nullable(Instant()),
    statusHistory: Type.Array(Closed({ status: OneOf(SHIPMENT_STATUSES), at: Instant() })),
  },
  { title: 'ShipmentDocument' },
);

export const CreatedAnswer = Closed({ success: Success, shipping: Shipment });
export const ReplayAnswer = Closed({ success: Success, idempotent: Success, shipping: Shipment });
export const DocumentAnswer = Closed({ success: Success, shipping: ShipmentDocument });
export const DocumentsAnswer = Closed({ success: Success, shippings: Type.Array(ShipmentDocument) });

export const BatchRequest = Type.Object({
  shippings: Type.Array(Type.Unknown(), {
    minItems: 1,
    description: `Up to ${MAX_BATCH_ENTRIES} entries, each like the body of POST /shipping.`,
  }),
});

export const BatchAnswer = Closed({
  success: Type.Boolean({ description: 'True when at least one shipment was created.' }),
  created: Type.Integer(),
  failed: Type.Integer(),
  shippings: Type.Array(Closed({ index: Type.Integer(), shipping: Shipment })),
  errors: Type.Array(
    Closed(
      {
        index: Type.Integer({ description: 'Position in the request’s array.' }),
        error: Type.String({
          description: 'Text for people. Elsewhere in this API, `error` is the slug.',
        }),
        code: Nullable(Type.String({ description: 'The slug, or null for a refusal without one.' })),
      },
      { title: 'BatchError' },
    ),
  ),
});

export const listFilters = {
  status: Type.Optional(OneOf(SHIPMENT_STATUSES)),
  from: Type.Optional(Type.String({ format: 'iso-date', description: 'Created at or after.' })),
  to: Type.Optional(
    Type.String({
      format: 'iso-date',
      description: 'Created at or before; a date without a time includes the whole day.',
    }),
  ),
  groupReference: Type.Optional(GroupReference),
};

export const ListQuery = Type.Object({
  ...listFilters,
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1 })),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      default: DEFAULT_PAGE_SIZE,
      description: `Larger values are reduced to ${MAX_PAGE_SIZE}.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: 200,
      description: '`nextCursor` of the previous page. Replaces `page`, and is equally fast at any depth.',
    }),
  ),
});
export type ListQuery = Static<typeof ListQuery>;

export const ListAnswer = Closed({
  success: Success,
  shippings: Type.Array(ShipmentDocument),
  pagination: Closed({
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer(),
    totalPages: Type.Integer(),
    nextCursor: Nullable(Type.String()),
  }),
});

export const TrackingAnswer = Closed({
  success: Success,
  tracking: Closed(
    {
      referenceNumber: Type.String(),
      status: OneOf(SHIPMENT_STATUSES),
      statusLabel: Type.String(),
      createdAt: Instant(),
      pickupTime: Type.Optional(Instant()),
      deliveryTime: Type.Optional(Instant()),
      estimatedDelivery: Type.Optional(Instant()),
      from: Type.Optional(Type.String({ description: 'The town only.' })),
      to: Type.Optional(Type.String({ description: 'The town only.' })),
      deliverer: Nullable(Type.String({ description: 'Full name of the driver.' })),
    },
    { title: 'Tracking', description: 'Fields without a value are omitted, except `deliverer`, which is null.' },
  ),
});

export type TrackingAnswer = Static<typeof TrackingAnswer>;

const Amount = Closed({ total: Euros(), currency: Type.Unsafe<'EUR'>({ type: 'string', const: 'EUR' }) });

export const StatsAnswer = Closed({
  success: Success,
  stats: Closed(
    {
      total: Type.Integer(),
      byStatus: Closed(
        Object.fromEntries(SHIPMENT_STATUSES.map((status) => [status, Type.Integer()])) as Record<
          ShipmentStatus,
          Type.TInteger
        >,
      ),
      amount: Amount,
      last30Days: Type.Array(Closed({ date: Type.String({ format: 'date' }), count: Type.Integer(), amount: Euros() })),
    },
    { title: 'Stats' },
  ),
});

export type StatsAnswer = Static<typeof StatsAnswer>;

export const CancelRequest = Type.Object({ reason: Type.Optional(Type.String({ maxLength: 1_000 })) });

export const ShipmentParams = Type.Object({ id: Type.String() });
export const ReferenceParams = Type.Object({ referenceNumber: Type.String() });

export const DownloadLinkAnswer = Closed({
  success: Success,
  downloadUrl: Type.String({ format: 'uri' }),
  filename: Type.String({ examples: ['bordereau_K7M2P9XW4.pdf'] }),
  action: Type.Unsafe<'download'>({ type: 'string', const: 'download' }),
});
export const ViewLinkAnswer = Closed({
  success: Success,
  viewUrl: Type.String({ format: 'uri' }),
  action: Type.Unsafe<'view'>({ type: 'string', const: 'view' }),
});

export const ExportRequest = Type.Object({
  scope: OneOf(['selected', 'filtered']),
  shippingIds: Type.Optional(
    Type.Array(Type.String(), { maxItems: MAX_EXPORTED_LABELS, description: 'For `selected`.' }),
  ),
  filters: Type.Optional(
    Type.Object(listFilters, {
      additionalProperties: false,
      description: 'For `filtered`. Unknown filters are refused, because ignoring them would export too much.',
    }),
  ),
});
export type ExportRequest = Static<typeof ExportRequest>;
