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

const GroupReference = Type.String({
  minLength: 1,
  maxLength: MAX_GROUP_REFERENCE_LENGTH,
  description: 'Your own reference for shipments that belong together.',
  examples: ['ORDER-2041'],
});
const parcel = 'Weight and content of the parcel.';
const Status = OneOf(SHIPMENT_STATUSES, { description: 'Status of the shipment.', examples: ['created'] });

export const ShipmentRequest = Type.Object(
  {
    deliveryAddress: DeliveryAddressInput,
    parcelDetails: Type.Object(
      { weight: Weight, nature: Text({ description: 'Content of the parcel.', examples: ['Vêtements'] }) },
      { description: parcel },
    ),
    pickupAddress: Type.Optional(PickupAddressInput),
    externalReference: Type.Optional(
      Type.Object(
        {
          orderId: Type.Optional(
            Type.String({ maxLength: 200, description: 'Your order number.', examples: ['2041'] }),
          ),
          shopDomain: Type.Optional(
            Type.String({
              maxLength: 253,
              description: 'The shop, if you have several.',
              examples: ['shop.example.org'],
            }),
          ),
        },
        {
          additionalProperties: true,
          description: `Additional fields are stored, up to ${MAX_EXTERNAL_REFERENCE_BYTES} bytes of JSON, and returned in full reads and webhooks: do not put sensitive data here. \`platform\` is ignored.`,
        },
      ),
    ),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        examples: [{ cart: 'b-77' }],
        description: `Any content, up to ${MAX_METADATA_BYTES} bytes of JSON in UTF-8 including the idempotency key, which is stored in it. Returned in full reads only.`,
      }),
    ),
    ...schedule,
    isCollection: Type.Optional(
      Type.Boolean({ default: false, description: 'The parcel is fetched from your customer and brought to you.' }),
    ),
    collectionContact: Type.Optional(
      Type.Object(
        {
          phoneNumber: Type.Optional(
            Text({ maxLength: 50, description: 'Receives an SMS before the pickup.', examples: ['+33612345678'] }),
          ),
          email: Type.Optional(
            Email({ description: 'Receives the QR code for the pickup.', examples: ['camille@example.org'] }),
          ),
          name: Type.Optional(Text({ description: 'Used in messages.', examples: ['Camille Durand'] })),
        },
        { description: 'The person whom the driver meets at the pickup; required for a collection.' },
      ),
    ),
    groupReference: Type.Optional(GroupReference),
    notes: Type.Optional(Type.String({ maxLength: 5_000, description: 'For the driver.', examples: ['Code 12B4'] })),
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

export const externalReference = {
  platform: Nullable(Type.String({ description: '`api` for shipments of this API.', examples: ['api'] })),
  orderId: Nullable(Type.String({ description: 'Your order number.', examples: ['2041'] })),
  shopDomain: Nullable(Type.String({ description: 'The shop.', examples: ['shop.example.org'] })),
};

export const ReferenceNumber = Type.String({
  description: 'Reference for people, printed on the label; unique.',
  examples: ['5N4MPK3S3M'],
});

const projection = {
  _id: Id('Shipment id'),
  referenceNumber: ReferenceNumber,
  status: Status,
  price: Euros({ description: 'The price that was charged.' }),
  parcelDetails: Closed(
    {
      weight: Type.Number({ description: 'Kilograms.', examples: [2.5] }),
      nature: Type.String({ description: 'Content of the parcel.', examples: ['Vêtements'] }),
    },
    { description: parcel },
  ),
  notes: Nullable(Type.String({ description: 'For the driver.', examples: ['Code 12B4'] })),
  isCollection: Type.Boolean({ description: 'The parcel is fetched from your customer and brought to you.' }),
  groupReference: Nullable(Type.String({ description: 'Your own reference of the group.', examples: ['ORDER-2041'] })),
  pickupAddress: PickupAddress,
  deliveryAddress: DeliveryAddress,
  scheduledDelivery: Closed(
    {
      date: Nullable(Type.String({ format: 'date', description: 'The local date.', examples: ['2030-05-20'] })),
      timeSlot: Nullable(Type.String({ description: 'The slot’s label.', examples: ['14h-16h'] })),
      datetime: Nullable(Instant({ description: 'Start of the slot.' })),
    },
    { description: 'Date and slot; each is null for an express shipment.' },
  ),
  externalReference: Closed(externalReference, { description: 'Your own references.' }),
  estimatedDeliveryDate: Nullable(Instant({ description: 'End of the slot; for an express shipment its creation.' })),
  pdfUrl: Type.String({
    pattern: '^/pdfs/bordereau_[^_/]+_[0-9a-f]{32}[.]pdf$',
    description: 'Path of the label on this host. Anyone with the link can read the label.',
    examples: ['/pdfs/bordereau_5N4MPK3S3M_0f8fad5bd9cb469fa16570867728950e.pdf'],
  }),
  createdAt: Instant({ description: 'When the shipment was created.' }),
  updatedAt: Instant({ description: 'When the shipment last changed.' }),
};

export const Shipment = Closed(projection, { title: 'Shipment', description: 'Stable: exactly these fields.' });
export type Shipment = Static<typeof Shipment>;

const AssignedDriver = Closed(
  {
    _id: Id('Driver id'),
    firstname: Type.String({ description: 'First name.', examples: ['Ali'] }),
    lastname: Type.String({ description: 'Last name.', examples: ['Moreau'] }),
    phoneNo: Type.String({ description: 'Phone number.', examples: ['+33698765432'] }),
    profilepic: Nullable(Type.String({ description: 'Address of a picture.' })),
    userRating: Nullable(Type.Number({ description: 'Average rating.', examples: [4.8] })),
  },
  { title: 'AssignedDriver', description: 'The driver of the shipment.' },
);

export const ShipmentDocument = Closed(
  {
    ...projection,
    externalReference: Type.Object(externalReference, {
      additionalProperties: true,
      description: 'Includes the additional fields that were sent when the shipment was created.',
    }),
    metadata: Type.Record(Type.String(), Type.Unknown(), {
      description: 'As it was sent, with the idempotency key.',
      examples: [{ cart: 'b-77' }],
    }),
    professional: Id('Account id'),
    deliverer: Type.Union([AssignedDriver, Type.String(), Type.Null()], {
      description: 'The driver; only the id when the driver cannot be resolved; null when no driver is assigned.',
    }),
    collectionContact: Nullable(
      Closed(
        {
          phoneNumber: Type.String({ description: 'Receives an SMS before the pickup.', examples: ['+33612345678'] }),
          email: Type.String({
            description: 'Receives the QR code for the pickup.',
            examples: ['camille@example.org'],
          }),
          name: Nullable(Type.String({ description: 'Used in messages.', examples: ['Camille Durand'] })),
        },
        { description: 'The person whom the driver meets at the pickup of a collection; else null.' },
      ),
    ),
    pickupTime: Nullable(Instant({ description: 'When the parcel was picked up.' })),
    deliveryTime: Nullable(Instant({ description: 'When the parcel was delivered.' })),
    cancelledAt: Nullable(Instant({ description: 'When the shipment was cancelled.' })),
    statusHistory: Type.Array(Closed({ status: Status, at: Instant({ description: 'When it had this status.' }) }), {
      description: 'Every status so far, oldest first.',
    }),
  },
  { title: 'ShipmentDocument', description: 'Everything about a shipment.' },
);

export const CreatedAnswer = Closed({ success: Success, shipping: Shipment });
export const ReplayAnswer = Closed({
  success: Success,
  idempotent: Type.Unsafe<true>({
    type: 'boolean',
    const: true,
    description: 'True: the key had created this shipment before, and nothing was charged.',
  }),
  shipping: Shipment,
});
export const DocumentAnswer = Closed({ success: Success, shipping: ShipmentDocument });
export const DocumentsAnswer = Closed({
  success: Success,
  shippings: Type.Array(ShipmentDocument, { description: 'All shipments, newest first.' }),
});

const BATCH_ENTRY = {
  deliveryAddress: {
    recipientName: 'Camille Durand',
    street: '8 avenue de l’Opéra',
    city: 'Paris',
    postalCode: '75001',
    phoneNumber: '+33612345678',
    email: 'camille@example.org',
  },
  parcelDetails: { weight: 2.5, nature: 'Vêtements' },
  externalReference: { orderId: '2041' },
};

export const BatchRequest = Type.Object({
  shippings: Type.Array(Type.Unknown(), {
    minItems: 1,
    description: `Up to ${MAX_BATCH_ENTRIES} entries, each like the body of POST /shipping.`,
    examples: [[BATCH_ENTRY]],
  }),
});

export const BatchAnswer = Closed({
  success: Type.Boolean({ description: 'True when at least one shipment was created.' }),
  created: Type.Integer({ description: 'How many shipments were created.' }),
  failed: Type.Integer({ description: 'How many entries were refused.' }),
  shippings: Type.Array(
    Closed({
      index: Type.Integer({ description: 'Position in the request’s array.', examples: [0] }),
      shipping: Shipment,
    }),
    { description: 'The created shipments.' },
  ),
  errors: Type.Array(
    Closed(
      {
        index: Type.Integer({ description: 'Position in the request’s array.' }),
        error: Type.String({
          description: 'Text for people. Elsewhere in this API, `error` is the slug.',
        }),
        code: Nullable(Type.String({ description: 'The slug, or null for a refusal without one.' })),
      },
      { title: 'BatchError', description: 'A refused entry.' },
    ),
    { description: 'The refused entries: retry only these.' },
  ),
});

export const listFilters = {
  status: Type.Optional(OneOf(SHIPMENT_STATUSES, { description: 'Only shipments with this status.' })),
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
  page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000_000, default: 1, description: 'Number of the page, from 1.' }),
  ),
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
  shippings: Type.Array(ShipmentDocument, { description: 'The shipments of this page, newest first.' }),
  pagination: Closed(
    {
      page: Type.Integer({ description: 'Number of this page.' }),
      limit: Type.Integer({ description: 'Shipments per page.', examples: [DEFAULT_PAGE_SIZE] }),
      total: Type.Integer({ description: 'Shipments in all pages.', examples: [132] }),
      totalPages: Type.Integer({ description: 'Number of pages.', examples: [3] }),
      nextCursor: Nullable(
        Type.String({
          description: 'Send it as `cursor` to get the next page; null on the last page.',
          examples: ['83'],
        }),
      ),
    },
    { description: 'Where this page is in the list.' },
  ),
});

export const TrackingAnswer = Closed({
  success: Success,
  tracking: Closed(
    {
      referenceNumber: ReferenceNumber,
      status: Status,
      statusLabel: Type.String({ description: 'The status in French, for display.', examples: ['Créée'] }),
      createdAt: Instant({ description: 'When the shipment was created.' }),
      pickupTime: Type.Optional(Instant({ description: 'When the parcel was picked up.' })),
      deliveryTime: Type.Optional(Instant({ description: 'When the parcel was delivered.' })),
      estimatedDelivery: Type.Optional(Instant({ description: 'When it is expected.' })),
      from: Type.Optional(Type.String({ description: 'The town only.', examples: ['Paris'] })),
      to: Type.Optional(Type.String({ description: 'The town only.', examples: ['Paris'] })),
      deliverer: Nullable(Type.String({ description: 'Full name of the driver.', examples: ['Ali Moreau'] })),
    },
    { title: 'Tracking', description: 'Fields without a value are omitted, except `deliverer`, which is null.' },
  ),
});

export type TrackingAnswer = Static<typeof TrackingAnswer>;

const Amount = Closed(
  {
    total: Euros({ description: 'The sum.' }),
    currency: Type.Unsafe<'EUR'>({ type: 'string', const: 'EUR', description: 'Always `EUR`.' }),
  },
  { description: 'Prices of all shipments that were not cancelled.' },
);

export const StatsAnswer = Closed({
  success: Success,
  stats: Closed(
    {
      total: Type.Integer({ description: 'Shipments in all.', examples: [132] }),
      byStatus: Closed(
        Object.fromEntries(
          SHIPMENT_STATUSES.map((status) => [
            status,
            Type.Integer({ description: `Shipments that are \`${status}\`.` }),
          ]),
        ) as Record<ShipmentStatus, Type.TInteger>,
        { description: 'Shipments by status.' },
      ),
      amount: Amount,
      last30Days: Type.Array(
        Closed({
          date: Type.String({ format: 'date', description: 'The local date.' }),
          count: Type.Integer({ description: 'Shipments created on this day.' }),
          amount: Euros({ description: 'Their prices.' }),
        }),
        { description: 'The last thirty days.' },
      ),
    },
    { title: 'Stats', description: 'Counts and amounts of the account.' },
  ),
});

export type StatsAnswer = Static<typeof StatsAnswer>;

export const CancelRequest = Type.Object({
  reason: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'For your records.', examples: ['Rupture de stock'] }),
  ),
});

export const ShipmentParams = Type.Object({ id: Id('`_id` of the shipment.') });
export const ReferenceParams = Type.Object({ referenceNumber: ReferenceNumber });

const LABEL_URL = 'https://api.example.org/pdfs/bordereau_5N4MPK3S3M_0f8fad5bd9cb469fa16570867728950e.pdf';

export const DownloadLinkAnswer = Closed({
  success: Success,
  downloadUrl: Type.String({
    format: 'uri',
    description: 'Downloads the label. Use it exactly as it is.',
    examples: [LABEL_URL],
  }),
  filename: Type.String({ description: 'Name for the saved file.', examples: ['bordereau_5N4MPK3S3M.pdf'] }),
  action: Type.Unsafe<'download'>({ type: 'string', const: 'download', description: 'Always `download`.' }),
});
export const ViewLinkAnswer = Closed({
  success: Success,
  viewUrl: Type.String({
    format: 'uri',
    description: 'Shows the label. Use it exactly as it is.',
    examples: [LABEL_URL],
  }),
  action: Type.Unsafe<'view'>({ type: 'string', const: 'view', description: 'Always `view`.' }),
});

export const ExportRequest = Type.Object({
  scope: OneOf(['selected', 'filtered'], {
    description: '`selected`: the labels of `shippingIds`. `filtered`: those that match `filters`.',
    examples: ['filtered'],
  }),
  shippingIds: Type.Optional(
    Type.Array(Type.String(), { maxItems: MAX_EXPORTED_LABELS, description: 'For `selected`.', examples: [[]] }),
  ),
  filters: Type.Optional(
    Type.Object(listFilters, {
      additionalProperties: false,
      description: 'For `filtered`. Unknown filters are refused, because ignoring them would export too much.',
    }),
  ),
});
export type ExportRequest = Static<typeof ExportRequest>;
