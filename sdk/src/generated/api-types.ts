// Generated from contract/ by `npm run generate`; edits are lost.

export type ShipmentStatus = 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';

export type WebhookEventName = 'shipping.created' | 'shipping.assigned' | 'shipping.picked_up' | 'shipping.delivered' | 'shipping.cancelled';

/** Settings, slots and balance of the account. */
export type Account = {
  /** Account id */
  _id: string;
  /** Name of the business. */
  name: string;
  /** Where the operator writes to. */
  email: string;
  /** Sent as `X-Client-Id` with every request. */
  clientId: string;
  /** Set by the operator; required to create shipments. */
  clientType: string | null;
  /** The version of the contract with the operator. */
  contractVersion: string | null;
  /** Required to create shipments. */
  contractSigned: boolean;
  /** Shipments without a slot also wait for `agreedPickupTime`: they start as `programmed`. */
  isSpecialRequest: boolean;
  /** Local time, HH:MM. */
  agreedPickupTime: string | null;
  /** Whether shipments can be created. */
  pickupAddressConfigured: boolean;
  pickupAddress: PickupAddress | null;
  /** The account’s own time slots. */
  timeSlots: TimeSlot[];
  /** Price of an express shipment when `pricePerKg` is null. */
  minimumPrice: number;
  /** Despite its name, a flat price for a parcel of up to 4 kg. */
  pricePerKg: number | null;
  /** `prepaid`: charged to the balance. `deferred`: invoiced, up to `creditLimit`. */
  paymentMode: 'prepaid' | 'deferred';
  /** Shipments can be created in `current` and `grace`. */
  paymentStatus: 'current' | 'grace' | 'payment_required' | 'suspended';
  /** The sum of the ledger; negative when a deferred account owes money. */
  balance: number;
  /** The most that a deferred account may owe. */
  creditLimit: number | null;
  /** The amount that the account owes now. */
  amountDue: number;
  rateLimits: RateLimits;
};

/** The driver of the shipment. */
export type AssignedDriver = {
  /** Driver id */
  _id: string;
  /** First name. */
  firstname: string;
  /** Last name. */
  lastname: string;
  /** Phone number. */
  phoneNo: string;
  /** Address of a picture. */
  profilepic: string | null;
  /** Average rating. */
  userRating: number | null;
};

/** A refused entry. */
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
  /** The recipient. */
  recipientName: string;
  /** Number and street. */
  street: string;
  /** Town. */
  city: string;
  /** Postal code. */
  postalCode: string;
  /** Country. */
  country: string;
  /** As it was sent. */
  phoneNumber: string;
  /** Receives the tracking link. */
  email: string;
  /** Null until the address is geocoded. */
  coordinates: {
    /** Degrees north. */
    latitude: number;
    /** Degrees east. */
    longitude: number;
  } | null;
};

/** Where the parcel goes. */
export type DeliveryAddressInput = {
  /** The recipient. */
  recipientName: string;
  /** Number and street. */
  street: string;
  /** Town. */
  city: string;
  /** Postal code. */
  postalCode: string;
  /** Country. */
  country?: string | undefined;
  /** Latitude and longitude. 0,0 means absent. An address without coordinates is geocoded. */
  coordinates?: {
    /** Degrees north. */
    latitude: number;
    /** Degrees east. */
    longitude: number;
  } | undefined;
  /** International format without spaces is recommended; the format is not validated. */
  phoneNumber: string;
  /** The recipient receives a tracking link at this address. Never sent to webhooks. */
  email: string;
};

export type EventFeed = {
  /** True: the request succeeded. */
  success: true;
  /** In the order in which they happened. */
  events: FeedEvent[];
  /** Where the next pull goes on when all of these events are handled. */
  cursor: string;
  /** More events follow at once. */
  hasMore: boolean;
};

export type FeedEvent = {
  /** Pass it as `after` once this event is handled. */
  cursor: string;
  /** Event id */
  id: string;
  /** Name of the event. */
  event: 'shipping.created' | 'shipping.assigned' | 'shipping.picked_up' | 'shipping.delivered' | 'shipping.cancelled';
  /** The body of the webhook, byte for byte: JSON as text, in UTF-8. */
  body: string;
};

export type FeedRequest = {
  /** When the request arrived. */
  at: string;
  /** The X-Request-Id of the response. */
  requestId: string;
  /** HTTP method. */
  method: string;
  /** Pattern of the path, without the base path. */
  route: string;
  /** The `:id` of the path, or the shipment that was created */
  id: string | null;
  /** HTTP status of the response. */
  status: number;
  /** The slug; null when the response had none. */
  error: string | null;
  /** Refused fields, at most five. */
  fields: string[];
  /** How long the response took, in milliseconds. */
  durationMs: number;
};

/** A field that is missing or invalid. */
export type FieldError = {
  /** Always `field`. */
  type: 'field';
  /** French text for people; do not parse it. */
  msg: string;
  /** The field. */
  path: string;
  /** The part of the request. */
  location: 'body' | 'query' | 'params' | 'headers';
};

export type FieldErrors = {
  /** False: the request failed. */
  success: false;
  /** All invalid fields. */
  errors: FieldError[];
};

export type MessageOnly = {
  /** False: the request failed. */
  success: false;
  /** French text for people; do not parse it. */
  message: string;
};

/** `location` is null until the address is geocoded. About thirteen months after the shipment has ended, personal data is erased: town, postal code and country stay, other texts become `(effacé)`. */
export type PickupAddress = {
  location: Point | null;
  /** Number and street. */
  street: string;
  /** Town. */
  city: string;
  /** Postal code. */
  postalCode: string;
  /** Country. */
  country: string;
  /** The address in one line, where it was set in the dashboard. */
  formattedAddress?: string | undefined;
  /** Id of the place at the geocoder, where there is one. */
  placeId?: string | undefined;
};

/** Where a driver picks the parcel up. */
export type PickupAddressInput = {
  /** Number and street. */
  street: string;
  /** Town. */
  city: string;
  /** Postal code. */
  postalCode: string;
  /** Country. */
  country?: string | undefined;
  /** Latitude and longitude. 0,0 means absent. An address without coordinates is geocoded. */
  coordinates?: {
    /** Degrees north. */
    latitude: number;
    /** Degrees east. */
    longitude: number;
  } | undefined;
};

/** GeoJSON: longitude first, then latitude. */
export type Point = {
  /** Always `Point`. */
  type: 'Point';
  /** Longitude, then latitude. */
  coordinates: number[];
};

/** The price of a parcel. */
export type Rate = {
  /** The price that a shipment would be charged. */
  price: number;
  /** Always `EUR`. */
  currency: 'EUR';
  /** The weight of the request. */
  weightInKg: number;
  /** The account’s minimum price. */
  minimumPrice: number;
  /** The account’s flat price for a parcel of up to 4 kg. */
  pricePerKg: number | null;
  /** The rule that gave the price. */
  pricingModel: 'scheduled_slot' | 'professional_tiered' | 'professional_minimum';
  scheduledDelivery: RateSchedule | null;
};

export type RateLimited = {
  /** False: the request failed. */
  success: false;
  /** French text for people; do not parse it. */
  message: string;
  /** The longest window whose limit is reached. */
  window: 'minute' | 'hour' | 'day';
};

/** How many requests the account may send. */
export type RateLimits = {
  /** Requests in a minute. */
  minute: number;
  /** Requests in an hour. */
  hour: number;
  /** Requests in a day. */
  day: number;
};

/** `weight` or `parcelDetails.weight`; `weight` is used when both are present. */
export type RateRequest = {
  /** Kilograms. */
  weight?: number | undefined;
  /** The weight, as in a shipment. */
  parcelDetails?: {
    /** Kilograms. */
    weight?: number | undefined;
  } | undefined;
  /** A date, or a timestamp, of which the local date is used. Requires `timeSlot`. */
  scheduledDate?: string | undefined;
  /** The id or label of one of the account’s slots, or free text such as `14h-16h` or `14:00-16:00`. */
  timeSlot?: string | undefined;
};

/** Null for an express shipment. */
export type RateSchedule = {
  /** The local date. */
  date: string;
  /** The slot’s label. */
  timeSlot: string;
  /** Of the account’s slot; null for free text. */
  slotId: string | null;
};

export type RequestFeed = {
  /** True: the request succeeded. */
  success: true;
  /** Newest first, at most 50. */
  requests: FeedRequest[];
  /** Pass it as `cursor` for older requests; null when there are none. */
  cursor: string | null;
  /** False while the log cannot be read. */
  isAvailable: boolean;
};

/** Stable: exactly these fields. */
export type Shipment = {
  /** Shipment id */
  _id: string;
  /** Reference for people, printed on the label; unique. */
  referenceNumber: string;
  /** Status of the shipment. */
  status: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';
  /** The price that was charged. */
  price: number;
  /** Weight and content of the parcel. */
  parcelDetails: {
    /** Kilograms. */
    weight: number;
    /** Content of the parcel. */
    nature: string;
  };
  /** For the driver. */
  notes: string | null;
  /** The parcel is fetched from your customer and brought to you. */
  isCollection: boolean;
  /** Your own reference of the group. */
  groupReference: string | null;
  pickupAddress: PickupAddress;
  deliveryAddress: DeliveryAddress;
  /** Date and slot; each is null for an express shipment. */
  scheduledDelivery: {
    /** The local date. */
    date: string | null;
    /** The slot’s label. */
    timeSlot: string | null;
    /** Start of the slot. */
    datetime: string | null;
  };
  /** Your own references. */
  externalReference: {
    /** `api` for shipments of this API. */
    platform: string | null;
    /** Your order number. */
    orderId: string | null;
    /** The shop. */
    shopDomain: string | null;
  };
  /** End of the slot; for an express shipment its creation. */
  estimatedDeliveryDate: string | null;
  /** Path of the label on this host. Anyone with the link can read the label. */
  pdfUrl: string;
  /** When the shipment was created. */
  createdAt: string;
  /** When the shipment last changed. */
  updatedAt: string;
};

/** Everything about a shipment. */
export type ShipmentDocument = {
  /** Shipment id */
  _id: string;
  /** Reference for people, printed on the label; unique. */
  referenceNumber: string;
  /** Status of the shipment. */
  status: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';
  /** The price that was charged. */
  price: number;
  /** Weight and content of the parcel. */
  parcelDetails: {
    /** Kilograms. */
    weight: number;
    /** Content of the parcel. */
    nature: string;
  };
  /** For the driver. */
  notes: string | null;
  /** The parcel is fetched from your customer and brought to you. */
  isCollection: boolean;
  /** Your own reference of the group. */
  groupReference: string | null;
  pickupAddress: PickupAddress;
  deliveryAddress: DeliveryAddress;
  /** Date and slot; each is null for an express shipment. */
  scheduledDelivery: {
    /** The local date. */
    date: string | null;
    /** The slot’s label. */
    timeSlot: string | null;
    /** Start of the slot. */
    datetime: string | null;
  };
  /** Includes the additional fields that were sent when the shipment was created. */
  externalReference: {
    /** `api` for shipments of this API. */
    platform: string | null;
    /** Your order number. */
    orderId: string | null;
    /** The shop. */
    shopDomain: string | null;
    [field: string]: unknown;
  };
  /** End of the slot; for an express shipment its creation. */
  estimatedDeliveryDate: string | null;
  /** Path of the label on this host. Anyone with the link can read the label. */
  pdfUrl: string;
  /** When the shipment was created. */
  createdAt: string;
  /** When the shipment last changed. */
  updatedAt: string;
  /** As it was sent, with the idempotency key. */
  metadata: Record<string, unknown>;
  /** Account id */
  professional: string;
  /** The driver; only the id when the driver cannot be resolved; null when no driver is assigned. */
  deliverer: AssignedDriver | string | null;
  /** The person whom the driver meets at the pickup of a collection; else null. */
  collectionContact: {
    /** Receives an SMS before the pickup. */
    phoneNumber: string;
    /** Receives the QR code for the pickup. */
    email: string;
    /** Used in messages. */
    name: string | null;
  } | null;
  /** When the parcel was picked up. */
  pickupTime: string | null;
  /** When the parcel was delivered. */
  deliveryTime: string | null;
  /** When the shipment was cancelled. */
  cancelledAt: string | null;
  /** Every status so far, oldest first. */
  statusHistory: ({
    /** Status of the shipment. */
    status: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';
    /** When it had this status. */
    at: string;
  })[];
};

/** For a collection, `deliveryAddress` is your own address, `pickupAddress` your customer’s, and `collectionContact` needs a phone number and an e-mail address. */
export type ShipmentRequest = {
  deliveryAddress: DeliveryAddressInput;
  /** Weight and content of the parcel. */
  parcelDetails: {
    /** Kilograms. */
    weight: number;
    /** Content of the parcel. */
    nature: string;
  };
  pickupAddress?: PickupAddressInput | undefined;
  /** Additional fields are stored, up to 4096 bytes of JSON, and returned in full reads and webhooks: do not put sensitive data here. `platform` is ignored. */
  externalReference?: {
    /** Your order number. */
    orderId?: string | undefined;
    /** The shop, if you have several. */
    shopDomain?: string | undefined;
    [field: string]: unknown;
  } | undefined;
  /** Any content, up to 16384 bytes of JSON in UTF-8 including the idempotency key, which is stored in it. Returned in full reads only. */
  metadata?: Record<string, unknown> | undefined;
  /** A date, or a timestamp, of which the local date is used. Requires `timeSlot`. */
  scheduledDate?: string | undefined;
  /** The id or label of one of the account’s slots, or free text such as `14h-16h` or `14:00-16:00`. */
  timeSlot?: string | undefined;
  /** The parcel is fetched from your customer and brought to you. */
  isCollection?: boolean | undefined;
  /** The person whom the driver meets at the pickup; required for a collection. */
  collectionContact?: {
    /** Receives an SMS before the pickup. */
    phoneNumber?: string | undefined;
    /** Receives the QR code for the pickup. */
    email?: string | undefined;
    /** Used in messages. */
    name?: string | undefined;
  } | undefined;
  /** Your own reference for shipments that belong together. */
  groupReference?: string | undefined;
  /** For the driver. */
  notes?: string | undefined;
};

/** Counts and amounts of the account. */
export type Stats = {
  /** Shipments in all. */
  total: number;
  /** Shipments by status. */
  byStatus: {
    /** Shipments that are `programmed`. */
    programmed: number;
    /** Shipments that are `created`. */
    created: number;
    /** Shipments that are `assigned`. */
    assigned: number;
    /** Shipments that are `picked_up`. */
    picked_up: number;
    /** Shipments that are `in_transit`. */
    in_transit: number;
    /** Shipments that are `delivered`. */
    delivered: number;
    /** Shipments that are `cancelled`. */
    cancelled: number;
  };
  /** Prices of all shipments that were not cancelled. */
  amount: {
    /** The sum. */
    total: number;
    /** Always `EUR`. */
    currency: 'EUR';
  };
  /** The last thirty days. */
  last30Days: {
    /** The local date. */
    date: string;
    /** Shipments created on this day. */
    count: number;
    /** Their prices. */
    amount: number;
  }[];
};

/** The clock of the test account. */
export type TestClock = {
  /** The time of the test account. */
  now: string;
  /** How far it is ahead of the real time. */
  aheadSeconds: number;
  /** The instant of a call that has not reached it yet: repeat the call. Null when it was reached. */
  movingTo: string | null;
};

export type TestClockRefused = {
  /** False: the request failed. */
  success: false;
  /** French text for people; do not parse it. */
  message: string;
  clock: TestClock;
};

/** How robot couriers work. */
export type TestCourier = {
  /** `auto`: robots deliver every shipment of this account. */
  mode: 'manual' | 'auto';
  /** `real`: legs take as long as at 20 km/h. */
  pace: 'fast' | 'real';
  /** Of the pace `fast`. */
  secondsPerStep: number;
};

export type TestShipment = {
  /** True: the request succeeded. */
  success: true;
  /** Status of the shipment now. */
  status: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';
  /** The steps that are possible now. */
  steps: ('activate' | 'accept' | 'refuse' | 'abandon' | 'pick_up' | 'depart' | 'deliver' | 'wrong_code' | 'report_incident')[];
  /** The robot that has the run, and its last position. */
  courier: {
    /** The robot. */
    id: string;
    /** Degrees north. */
    latitude: number | null;
    /** Degrees east. */
    longitude: number | null;
  } | null;
};

export type TestStepRefused = {
  /** False: the request failed. */
  success: false;
  /** French text for people; do not parse it. */
  message: string;
  /** Status of the shipment now. */
  status: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';
  /** The steps that are possible now. */
  steps: ('activate' | 'accept' | 'refuse' | 'abandon' | 'pick_up' | 'depart' | 'deliver' | 'wrong_code' | 'report_incident')[];
};

/** The webhook and its fault. */
export type TestWebhook = {
  /** Webhook id */
  _id: string;
  /** `twice`: The first response counts as lost, so the event is sent again. `out_of_order`: `shipping.created` and `shipping.picked_up` are sent after the next event of the shipment. `late`: Events are sent ten seconds late. `bad_signature`: The signature is made with another secret. `old_timestamp`: The timestamp is one hour old, and the signature is correct. `three_failures`: Each of the three attempts counts as failed, whatever the response. */
  fault: 'twice' | 'out_of_order' | 'late' | 'bad_signature' | 'old_timestamp' | 'three_failures' | 'none';
};

/** A time slot of the account. */
export type TimeSlot = {
  /** Slot id */
  id: string;
  /** Name of the slot, which `timeSlot` accepts. */
  label: string;
};

/** Fields without a value are omitted, except `deliverer`, which is null. */
export type Tracking = {
  /** Reference for people, printed on the label; unique. */
  referenceNumber: string;
  /** Status of the shipment. */
  status: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';
  /** The status in French, for display. */
  statusLabel: string;
  /** When the shipment was created. */
  createdAt: string;
  /** When the parcel was picked up. */
  pickupTime?: string | undefined;
  /** When the parcel was delivered. */
  deliveryTime?: string | undefined;
  /** When it is expected. */
  estimatedDelivery?: string | undefined;
  /** The town only. */
  from?: string | undefined;
  /** The town only. */
  to?: string | undefined;
  /** Full name of the driver. */
  deliverer: string | null;
};

export type ValidationError = {
  /** False: the request failed. */
  success: false;
  /** The slug: branch on it. */
  error: 'VALIDATION_ERROR';
  /** French text for people; do not parse it. */
  message: string;
  /** For logs only. */
  details: string;
};

/** A subscription to events. */
export type Webhook = {
  /** Webhook id */
  _id: string;
  /** The address. */
  url: string;
  /** The events that are sent. */
  events: ('shipping.created' | 'shipping.assigned' | 'shipping.picked_up' | 'shipping.delivered' | 'shipping.cancelled')[];
  /** Signs every request. */
  secret: string;
  /** False: paused, by you or after three days with failures only. */
  isActive: boolean;
  /** When the webhook was created. */
  createdAt: string;
  /** When the webhook last changed. */
  updatedAt: string;
};

/** The body of a webhook request. */
export type WebhookEventBody = {
  /** The change that happened. */
  event: 'shipping.created' | 'shipping.assigned' | 'shipping.picked_up' | 'shipping.delivered' | 'shipping.cancelled';
  /** When it happened. Events may arrive in any order: sort by this. */
  timestamp: string;
  data: WebhookEventData;
};

/** The shipment at the time of the event. */
export type WebhookEventData = {
  /** Shipment id */
  id: string;
  /** Account id */
  professionalId: string;
  /** Reference for people, printed on the label; unique. */
  referenceNumber: string;
  /** Status at the time of the event. */
  status: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled';
  /** The price that was charged. */
  price: number;
  /** Your own references, with the additional fields that you sent. */
  externalReference: {
    /** `api` for shipments of this API. */
    platform: string | null;
    /** Your order number. */
    orderId: string | null;
    /** The shop. */
    shopDomain: string | null;
    [field: string]: unknown;
  };
  /** When the shipment was created. */
  createdAt: string;
  /** When the shipment last changed. */
  updatedAt: string;
  /** Where the parcel is picked up. */
  pickupAddress: {
    /** Number and street. */
    street: string;
    /** Town. */
    city: string;
    /** Postal code. */
    postalCode: string;
    /** Country. */
    country: string;
  };
  /** Where the parcel goes. */
  deliveryAddress: {
    /** The recipient. */
    recipientName: string;
    /** Number and street. */
    street: string;
    /** Town. */
    city: string;
    /** Postal code. */
    postalCode: string;
    /** Country. */
    country: string;
    /** As it was sent. */
    phoneNumber: string;
  };
  /** Null when no driver is assigned. */
  deliverer: {
    /** Driver id */
    id: string;
    /** Always null here; `GET /shipping/:id` has it. */
    name: null;
    /** Always null here; `GET /shipping/:id` has it. */
    phoneNumber: null;
  } | null;
};

/** Query parameters by operation. */
export interface Queries {
  listShipments: {
    /** Only shipments with this status. */
    status?: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled' | undefined;
    /** Created at or after. */
    from?: string | undefined;
    /** Created at or before; a date without a time includes the whole day. */
    to?: string | undefined;
    /** Your own reference for shipments that belong together. */
    groupReference?: string | undefined;
    /** Number of the page, from 1. */
    page?: number | undefined;
    /** Larger values are reduced to 100. */
    limit?: number | undefined;
    /** `nextCursor` of the previous page. Replaces `page`, and is equally fast at any depth. */
    cursor?: string | undefined;
  };
  readEvents: {
    /** A cursor of an earlier response. */
    after?: string | undefined;
    /** Instead of `after`: begins with the events of this moment. Earlier ones may be among them. */
    since?: string | undefined;
    /** How many events the response contains at most. */
    limit?: number | undefined;
    /** How many seconds the response may wait for an event when there is none. */
    wait?: number | undefined;
  };
  readRequests: {
    /** Only responses of this class. */
    status?: '2xx' | '3xx' | '4xx' | '5xx' | undefined;
    /** The cursor of an earlier response. */
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
    /** For your records. */
    reason?: string | undefined;
  };
  exportLabels: {
    /** `selected`: the labels of `shippingIds`. `filtered`: those that match `filters`. */
    scope: 'selected' | 'filtered';
    /** For `selected`. */
    shippingIds?: string[] | undefined;
    /** For `filtered`. Unknown filters are refused, because ignoring them would export too much. */
    filters?: {
      /** Only shipments with this status. */
      status?: 'programmed' | 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered' | 'cancelled' | undefined;
      /** Created at or after. */
      from?: string | undefined;
      /** Created at or before; a date without a time includes the whole day. */
      to?: string | undefined;
      /** Your own reference for shipments that belong together. */
      groupReference?: string | undefined;
    } | undefined;
  };
  quoteRate: RateRequest;
  createWebhook: {
    /** The public address that receives the requests. */
    url: string;
    /** The events to send. */
    events: ('shipping.created' | 'shipping.assigned' | 'shipping.picked_up' | 'shipping.delivered' | 'shipping.cancelled')[];
    /** Generated when absent. */
    secret?: string | undefined;
    /** False pauses the webhook. */
    isActive?: boolean | undefined;
  };
  updateWebhook: {
    /** The public address that receives the requests. */
    url?: string | undefined;
    /** The events to send. */
    events?: ('shipping.created' | 'shipping.assigned' | 'shipping.picked_up' | 'shipping.delivered' | 'shipping.cancelled')[] | undefined;
    /** False pauses the webhook. */
    isActive?: boolean | undefined;
  };
  setTestCourier: {
    /** `auto`: robots deliver every shipment of this account. */
    mode: 'manual' | 'auto';
    /** `real`: legs take as long as at 20 km/h. */
    pace?: 'fast' | 'real' | undefined;
    /** Of the pace `fast`. */
    secondsPerStep?: number | undefined;
  };
  takeTestStep: {
    /** The step to do. */
    step: 'activate' | 'accept' | 'refuse' | 'abandon' | 'pick_up' | 'depart' | 'deliver' | 'wrong_code' | 'report_incident';
  };
  advanceTestShipment: {
    /** The status to reach. */
    status: 'created' | 'assigned' | 'picked_up' | 'in_transit' | 'delivered';
  };
  setTestWebhook: {
    /** `twice`: The first response counts as lost, so the event is sent again. `out_of_order`: `shipping.created` and `shipping.picked_up` are sent after the next event of the shipment. `late`: Events are sent ten seconds late. `bad_signature`: The signature is made with another secret. `old_timestamp`: The timestamp is one hour old, and the signature is correct. `three_failures`: Each of the three attempts counts as failed, whatever the response. */
    fault: 'twice' | 'out_of_order' | 'late' | 'bad_signature' | 'old_timestamp' | 'three_failures' | 'none';
  };
  moveTestClock: {
    /** The instant, with an offset from UTC. At most 1,100 days after the real time. */
    to: string;
  };
  setTestAccount: {
    /** The new balance. */
    balance?: number | undefined;
    /** The new payment status. */
    paymentStatus?: 'current' | 'grace' | 'payment_required' | 'suspended' | undefined;
    /** The limit of the minute window. */
    requestsPerMinute?: number | undefined;
  };
}

/** Successful JSON responses by operation. */
export interface Answers {
  createShipment: {
    /** True: the request succeeded. */
    success: true;
    /** True: the key had created this shipment before, and nothing was charged. */
    idempotent: true;
    shipping: Shipment;
  } | {
    /** True: the request succeeded. */
    success: true;
    shipping: Shipment;
  };
  listShipments: {
    /** True: the request succeeded. */
    success: true;
    /** The shipments of this page, newest first. */
    shippings: ShipmentDocument[];
    /** Where this page is in the list. */
    pagination: {
      /** Number of this page. */
      page: number;
      /** Shipments per page. */
      limit: number;
      /** Shipments in all pages. */
      total: number;
      /** Number of pages. */
      totalPages: number;
      /** Send it as `cursor` to get the next page; null on the last page. */
      nextCursor: string | null;
    };
  };
  createBatch: {
    /** True when at least one shipment was created. */
    success: boolean;
    /** How many shipments were created. */
    created: number;
    /** How many entries were refused. */
    failed: number;
    /** The created shipments. */
    shippings: {
      /** Position in the request’s array. */
      index: number;
      shipping: Shipment;
    }[];
    /** The refused entries: retry only these. */
    errors: BatchError[];
  };
  setPickupAddress: {
    /** True: the request succeeded. */
    success: true;
    pickupAddress: PickupAddress;
  };
  getShipment: {
    /** True: the request succeeded. */
    success: true;
    shipping: ShipmentDocument;
  };
  getShipmentByReference: {
    /** True: the request succeeded. */
    success: true;
    shipping: ShipmentDocument;
  };
  trackShipment: {
    /** True: the request succeeded. */
    success: true;
    tracking: Tracking;
  };
  exportShipments: {
    /** True: the request succeeded. */
    success: true;
    /** All shipments, newest first. */
    shippings: ShipmentDocument[];
  };
  getStats: {
    /** True: the request succeeded. */
    success: true;
    stats: Stats;
  };
  testCredentials: {
    /** True: the request succeeded. */
    success: true;
    /** The account of the key. */
    professional: {
      /** Account id */
      _id: string;
      /** Name of the business. */
      name: string;
      /** The account’s client id. */
      clientId: string;
    };
    /** The key of this request. */
    apiKey: {
      /** Name of the key. */
      name: string | null;
      /** The permissions of the key. */
      scopes: ('read' | 'write' | 'delete')[];
      /** When the key stops working; null: never. */
      expiresAt: string | null;
    };
  };
  cancelShipment: {
    /** True: the request succeeded. */
    success: true;
    shipping: Shipment;
  };
  createDownloadLink: {
    /** True: the request succeeded. */
    success: true;
    /** Downloads the label. Use it exactly as it is. */
    downloadUrl: string;
    /** Name for the saved file. */
    filename: string;
    /** Always `download`. */
    action: 'download';
  };
  createViewLink: {
    /** True: the request succeeded. */
    success: true;
    /** Shows the label. Use it exactly as it is. */
    viewUrl: string;
    /** Always `view`. */
    action: 'view';
  };
  quoteRate: {
    /** True: the request succeeded. */
    success: true;
    rate: Rate;
  };
  getAccount: {
    /** True: the request succeeded. */
    success: true;
    account: Account;
  };
  listWebhooks: {
    /** True: the request succeeded. */
    success: true;
    /** All webhooks of the account. */
    webhooks: Webhook[];
  };
  createWebhook: {
    /** True: the request succeeded. */
    success: true;
    webhook: Webhook;
  };
  updateWebhook: {
    /** True: the request succeeded. */
    success: true;
    webhook: Webhook;
  };
  deleteWebhook: {
    /** True: the request succeeded. */
    success: true;
  };
  readEvents: EventFeed;
  readRequests: RequestFeed;
  readTestCourier: {
    /** True: the request succeeded. */
    success: true;
    courier: TestCourier;
  };
  setTestCourier: {
    /** True: the request succeeded. */
    success: true;
    courier: TestCourier;
  };
  readTestShipment: TestShipment;
  takeTestStep: TestShipment;
  advanceTestShipment: TestShipment;
  readTestWebhook: {
    /** True: the request succeeded. */
    success: true;
    webhook: TestWebhook;
  };
  setTestWebhook: {
    /** True: the request succeeded. */
    success: true;
    webhook: TestWebhook;
  };
  resendTestEvent: {
    /** True: the request succeeded. */
    success: true;
    /** How many webhooks it is sent to. */
    webhooks: number;
  };
  readTestClock: {
    /** True: the request succeeded. */
    success: true;
    clock: TestClock;
  };
  moveTestClock: {
    /** True: the request succeeded. */
    success: true;
    clock: TestClock;
  };
  setTestAccount: {
    /** True: the request succeeded. */
    success: true;
  };
  emptyTestAccount: {
    /** True: the request succeeded. */
    success: true;
    /** How many shipments were deleted. */
    deleted: number;
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
    /** Null: the operator has not set it. */
    clientType: string | null;
    /** The version of the contract to sign. */
    contractVersion: string | null;
  };
  CONTRACT_SIGNATURE_REQUIRED: {
    /** Null: the operator has not set it. */
    clientType: string | null;
    /** The version of the contract to sign. */
    contractVersion: string | null;
  };
  PICKUP_ADDRESS_REQUIRED: Record<never, never>;
  PICKUP_ADDRESS_NOT_GEOCODABLE: Record<never, never>;
  INSUFFICIENT_BALANCE: {
    /** The balance. */
    currentBalance: number;
    /** The price of the shipment. */
    requiredAmount: number;
  };
  ACCOUNT_SUSPENDED: {
    /** The amount that the account owes. */
    amountDue: number;
    /** Payment status of the account. */
    paymentStatus: 'current' | 'grace' | 'payment_required' | 'suspended';
    /** Until when shipments can be created. */
    gracePeriodEndsAt: string | null;
  };
  PAYMENT_REQUIRED: {
    /** The amount that the account owes. */
    amountDue: number;
    /** Payment status of the account. */
    paymentStatus: 'current' | 'grace' | 'payment_required' | 'suspended';
    /** Until when shipments can be created. */
    gracePeriodEndsAt: string | null;
  };
  IDEMPOTENCY_KEY_CONFLICT: Record<never, never>;
  VALIDATION_ERROR: { details: string };
}

export type ErrorSlug = keyof ErrorFields;
