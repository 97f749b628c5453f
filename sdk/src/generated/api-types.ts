// Generated from contract/ by `npm run generate`; edits are lost.

export type ShipmentStatus = 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';

export type WebhookEventName = 'shipping.created' | 'shipping.assigned' | 'shipping.picked_up' | 'shipping.delivered' | 'shipping.cancelled';

export type Account = {
  /** Account id */
  _id: string;
  name: string;
  email: string;
  clientId: string;
  /** Set by the operator; required to create shipments. */
  clientType: string | null;
  contractVersion: string | null;
  contractSigned: boolean;
  isSpecialRequest: boolean;
  /** Local time, HH:MM. */
  agreedPickupTime: string | null;
  pickupAddressConfigured: boolean;
  pickupAddress: PickupAddress | null;
  timeSlots: TimeSlot[];
  minimumPrice: number;
  /** Despite its name, a flat price for a parcel of up to 4 kg. */
  pricePerKg: number | null;
  paymentMode: 'prepaid' | 'deferred';
  paymentStatus: 'current' | 'grace' | 'payment_required' | 'suspended';
  /** The sum of the ledger; negative when a deferred account owes money. */
  balance: number;
  creditLimit: number | null;
  amountDue: number;
  rateLimits: RateLimits;
};

export type AssignedDriver = {
  /** Driver id */
  _id: string;
  firstname: string;
  lastname: string;
  phoneNo: string;
  profilepic: string | null;
  userRating: number | null;
};

export type BatchError = {
  /** Position in the request’s array. */
  index: number;
  /** Text for people. Elsewhere in this API, `error` is the slug. */
  error: string;
  /** The slug, or null for a refusal without one. */
  code: string | null;
};

/** About thirteen months after the shipment has ended, personal data is erased: town, postal code and country stay, other texts become `(effacé)`. */
export type DeliveryAddress = {
  recipientName: string;
  street: string;
  city: string;
  postalCode: string;
  country: string;
  phoneNumber: string;
  email: string;
  coordinates: {
    latitude: number;
    longitude: number;
  } | null;
};

export type DeliveryAddressInput = {
  recipientName: string;
  street: string;
  city: string;
  postalCode: string;
  country?: string | undefined;
  /** Latitude and longitude. 0,0 means absent. An address without coordinates is geocoded. */
  coordinates?: {
    latitude: number;
    longitude: number;
  } | undefined;
  /** International format without spaces is recommended; the format is not validated. */
  phoneNumber: string;
  /** The recipient receives a tracking link at this address. Never sent to webhooks. */
  email: string;
};

export type FieldError = {
  type: 'field';
  /** French text for people; do not parse it. */
  msg: string;
  path: string;
  location: 'body' | 'query' | 'params' | 'headers';
};

export type FieldErrors = {
  success: false;
  errors: FieldError[];
};

export type MessageOnly = {
  success: false;
  /** French text for people; do not parse it. */
  message: string;
};

/** `location` is null until the address is geocoded. About thirteen months after the shipment has ended, personal data is erased: town, postal code and country stay, other texts become `(effacé)`. */
export type PickupAddress = {
  location: Point | null;
  street: string;
  city: string;
  postalCode: string;
  country: string;
  formattedAddress?: string | undefined;
  placeId?: string | undefined;
};

/** Where a driver picks the parcel up. */
export type PickupAddressInput = {
  street: string;
  city: string;
  postalCode: string;
  country?: string | undefined;
  /** Latitude and longitude. 0,0 means absent. An address without coordinates is geocoded. */
  coordinates?: {
    latitude: number;
    longitude: number;
  } | undefined;
};

/** GeoJSON: longitude first, then latitude. */
export type Point = {
  type: 'Point';
  coordinates: number[];
};

export type Rate = {
  /** The price that a shipment would be charged. */
  price: number;
  currency: 'EUR';
  weightInKg: number;
  minimumPrice: number;
  pricePerKg: number | null;
  pricingModel: 'scheduled_slot' | 'professional_tiered' | 'professional_minimum';
  scheduledDelivery: RateSchedule | null;
};

export type RateLimited = {
  success: false;
  /** French text for people; do not parse it. */
  message: string;
  /** The longest window whose limit is reached. */
  window: 'minute' | 'hour' | 'day';
};

export type RateLimits = {
  minute: number;
  hour: number;
  day: number;
};

/** `weight` or `parcelDetails.weight`; `weight` is used when both are present. */
export type RateRequest = {
  /** Kilograms. */
  weight?: number | undefined;
  parcelDetails?: {
    /** Kilograms. */
    weight?: number | undefined;
  } | undefined;
  /** A date, or a timestamp, of which the local date is used. Requires `timeSlot`. */
  scheduledDate?: string | undefined;
  /** The id or label of one of the account’s slots, or free text such as `14h-16h` or `14:00-16:00`. */
  timeSlot?: string | undefined;
};

export type RateSchedule = {
  date: string;
  timeSlot: string;
  slotId: string | null;
};

/** Stable: exactly these fields. */
export type Shipment = {
  /** Shipment id */
  _id: string;
  referenceNumber: string;
  status: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';
  price: number;
  parcelDetails: {
    weight: number;
    nature: string;
  };
  notes: string | null;
  isCollection: boolean;
  groupReference: string | null;
  pickupAddress: PickupAddress;
  deliveryAddress: DeliveryAddress;
  scheduledDelivery: {
    date: string | null;
    timeSlot: string | null;
    datetime: string | null;
  };
  externalReference: {
    platform: string | null;
    orderId: string | null;
    shopDomain: string | null;
  };
  estimatedDeliveryDate: string | null;
  pdfUrl: string;
  createdAt: string;
  updatedAt: string;
};

export type ShipmentDocument = {
  /** Shipment id */
  _id: string;
  referenceNumber: string;
  status: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';
  price: number;
  parcelDetails: {
    weight: number;
    nature: string;
  };
  notes: string | null;
  isCollection: boolean;
  groupReference: string | null;
  pickupAddress: PickupAddress;
  deliveryAddress: DeliveryAddress;
  scheduledDelivery: {
    date: string | null;
    timeSlot: string | null;
    datetime: string | null;
  };
  /** Includes the additional fields that were sent when the shipment was created. */
  externalReference: {
    platform: string | null;
    orderId: string | null;
    shopDomain: string | null;
    [field: string]: unknown;
  };
  estimatedDeliveryDate: string | null;
  pdfUrl: string;
  createdAt: string;
  updatedAt: string;
  metadata: Record<string, unknown>;
  /** Account id */
  professional: string;
  /** The driver; only the id when the driver cannot be resolved; null when no driver is assigned. */
  deliverer: AssignedDriver | string | null;
  collectionContact: {
    phoneNumber: string;
    email: string;
    name: string | null;
  } | null;
  pickupTime: string | null;
  deliveryTime: string | null;
  cancelledAt: string | null;
  statusHistory: ({
    status: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';
    at: string;
  })[];
};

/** For a collection, `deliveryAddress` is your own address, `pickupAddress` your customer’s, and `collectionContact` needs a phone number and an e-mail address. */
export type ShipmentRequest = {
  deliveryAddress: DeliveryAddressInput;
  parcelDetails: {
    /** Kilograms. */
    weight: number;
    nature: string;
  };
  pickupAddress?: PickupAddressInput | undefined;
  /** Additional fields are stored, up to 4096 bytes of JSON, and returned in full reads and webhooks: do not put sensitive data here. `platform` is ignored. */
  externalReference?: {
    orderId?: string | undefined;
    shopDomain?: string | undefined;
    [field: string]: unknown;
  } | undefined;
  /** Any content, up to 16384 bytes of JSON in UTF-8 including the idempotency key, which is stored in it. Returned in full reads only. */
  metadata?: Record<string, unknown> | undefined;
  /** A date, or a timestamp, of which the local date is used. Requires `timeSlot`. */
  scheduledDate?: string | undefined;
  /** The id or label of one of the account’s slots, or free text such as `14h-16h` or `14:00-16:00`. */
  timeSlot?: string | undefined;
  isCollection?: boolean | undefined;
  collectionContact?: {
    phoneNumber?: string | undefined;
    email?: string | undefined;
    name?: string | undefined;
  } | undefined;
  groupReference?: string | undefined;
  notes?: string | undefined;
};

export type Stats = {
  total: number;
  byStatus: {
    programmed: number;
    created: number;
    assigned: number;
    picked_up: number;
    in_transit: number;
    delivered: number;
    cancelled: number;
  };
  amount: {
    total: number;
    currency: 'EUR';
  };
  last30Days: {
    date: string;
    count: number;
    amount: number;
  }[];
};

export type TimeSlot = {
  /** Slot id */
  id: string;
  label: string;
};

/** Fields without a value are omitted, except `deliverer`, which is null. */
export type Tracking = {
  referenceNumber: string;
  status: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';
  statusLabel: string;
  createdAt: string;
  pickupTime?: string | undefined;
  deliveryTime?: string | undefined;
  estimatedDelivery?: string | undefined;
  /** The town only. */
  from?: string | undefined;
  /** The town only. */
  to?: string | undefined;
  /** Full name of the driver. */
  deliverer: string | null;
};

export type ValidationError = {
  success: false;
  error: 'VALIDATION_ERROR';
  /** French text for people; do not parse it. */
  message: string;
  /** For logs only. */
  details: string;
};

export type Webhook = {
  /** Webhook id */
  _id: string;
  url: string;
  events: ('shipping.created' | 'shipping.assigned' | 'shipping.picked_up' | 'shipping.delivered' | 'shipping.cancelled')[];
  secret: string;
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
};

/** Query parameters by operation. */
export interface Queries {
  listShipments: {
    status?: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled' | undefined;
    /** Created at or after. */
    from?: string | undefined;
    /** Created at or before; a date without a time includes the whole day. */
    to?: string | undefined;
    groupReference?: string | undefined;
    page?: number | undefined;
    /** Larger values are reduced to 100. */
    limit?: number | undefined;
    /** `nextCursor` of the previous page. Replaces `page`, and is equally fast at any depth. */
    cursor?: string | undefined;
  };
}

/** Request bodies by operation. */
export interface Bodies {
  createShipment: ShipmentRequest;
  createBatch: {
    /** Up to 500 entries, each like the body of POST /shipping. */
    shippings: unknown[];
  };
  setPickupAddress: PickupAddressInput;
  cancelShipment: {
    reason?: string | undefined;
  };
  exportLabels: {
    scope: 'selected' | 'filtered';
    /** For `selected`. */
    shippingIds?: string[] | undefined;
    /** For `filtered`. Unknown filters are refused, because ignoring them would export too much. */
    filters?: {
      status?: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled' | undefined;
      /** Created at or after. */
      from?: string | undefined;
      /** Created at or before; a date without a time includes the whole day. */
      to?: string | undefined;
      groupReference?: string | undefined;
    } | undefined;
  };
  quoteRate: RateRequest;
  createWebhook: {
    url: string;
    events: ('shipping.created' | 'shipping.assigned' | 'shipping.picked_up' | 'shipping.delivered' | 'shipping.cancelled')[];
    /** Generated when absent. */
    secret?: string | undefined;
    isActive?: boolean | undefined;
  };
  updateWebhook: {
    url?: string | undefined;
    events?: ('shipping.created' | 'shipping.assigned' | 'shipping.picked_up' | 'shipping.delivered' | 'shipping.cancelled')[] | undefined;
    isActive?: boolean | undefined;
  };
}

/** Successful JSON responses by operation. */
export interface Answers {
  createShipment: {
    success: true;
    idempotent: true;
    shipping: Shipment;
  } | {
    success: true;
    shipping: Shipment;
  };
  listShipments: {
    success: true;
    shippings: ShipmentDocument[];
    pagination: {
      page: number;
      limit: number;
      total: number;
      totalPages: number;
      nextCursor: string | null;
    };
  };
  createBatch: {
    /** True when at least one shipment was created. */
    success: boolean;
    created: number;
    failed: number;
    shippings: {
      index: number;
      shipping: Shipment;
    }[];
    errors: BatchError[];
  };
  setPickupAddress: {
    success: true;
    pickupAddress: PickupAddress;
  };
  getShipment: {
    success: true;
    shipping: ShipmentDocument;
  };
  getShipmentByReference: {
    success: true;
    shipping: ShipmentDocument;
  };
  trackShipment: {
    success: true;
    tracking: Tracking;
  };
  exportShipments: {
    success: true;
    shippings: ShipmentDocument[];
  };
  getStats: {
    success: true;
    stats: Stats;
  };
  testCredentials: {
    success: true;
    professional: {
      /** Account id */
      _id: string;
      name: string;
      clientId: string;
    };
    apiKey: {
      name: string | null;
      scopes: ('read' | 'write' | 'delete')[];
      expiresAt: string | null;
    };
  };
  cancelShipment: {
    success: true;
    shipping: Shipment;
  };
  createDownloadLink: {
    success: true;
    downloadUrl: string;
    filename: string;
    action: 'download';
  };
  createViewLink: {
    success: true;
    viewUrl: string;
    action: 'view';
  };
  quoteRate: {
    success: true;
    rate: Rate;
  };
  getAccount: {
    success: true;
    account: Account;
  };
  listWebhooks: {
    success: true;
    webhooks: Webhook[];
  };
  createWebhook: {
    success: true;
    webhook: Webhook;
  };
  updateWebhook: {
    success: true;
    webhook: Webhook;
  };
  deleteWebhook: {
    success: true;
  };
}

/** The fields that a refusal has in addition to its slug and message. */
export interface ErrorFields {
  MISSING_API_KEY: Record<never, never>;
  MISSING_CLIENT_ID: Record<never, never>;
  INVALID_API_KEY: Record<never, never>;
  EXPIRED_API_KEY: Record<never, never>;
  PROFESSIONAL_NOT_FOUND: Record<never, never>;
  INVALID_CLIENT_ID: Record<never, never>;
  INSUFFICIENT_PERMISSIONS: Record<never, never>;
  INTERNAL_ERROR: Record<never, never>;
  CLIENT_TYPE_REQUIRED: {
    clientType: string | null;
    contractVersion: string | null;
  };
  CONTRACT_SIGNATURE_REQUIRED: {
    clientType: string | null;
    contractVersion: string | null;
  };
  PICKUP_ADDRESS_REQUIRED: Record<never, never>;
  PICKUP_ADDRESS_NOT_GEOCODABLE: Record<never, never>;
  INSUFFICIENT_BALANCE: {
    currentBalance: number;
    requiredAmount: number;
  };
  ACCOUNT_SUSPENDED: {
    amountDue: number;
    paymentStatus: 'current' | 'grace' | 'payment_required' | 'suspended';
    gracePeriodEndsAt: string | null;
  };
  PAYMENT_REQUIRED: {
    amountDue: number;
    paymentStatus: 'current' | 'grace' | 'payment_required' | 'suspended';
    gracePeriodEndsAt: string | null;
  };
  IDEMPOTENCY_KEY_CONFLICT: Record<never, never>;
  VALIDATION_ERROR: { details: string };
}

export type ErrorSlug = keyof ErrorFields;
