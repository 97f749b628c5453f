/** Requests per account in each fixed window, unless the operator has set other limits. */
export const DEFAULT_RATE_LIMITS = { minute: 60, hour: 1_000, day: 10_000 } as const;

export const RATE_WINDOWS = ['minute', 'hour', 'day'] as const;
export type RateWindow = (typeof RATE_WINDOWS)[number];

export const MAX_ACTIVE_KEYS_PER_ACCOUNT = 10;
export const MAX_GROUP_REFERENCE_LENGTH = 64;
export const MAX_IDEMPOTENCY_KEY_LENGTH = 200;

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100; // a larger `limit` is reduced to this
export const MAX_BATCH_ENTRIES = 500;
export const MAX_EXPORTED_LABELS = 1_000;

/** Of one member, as the dashboard shows them above the list of shipments. */
export const MAX_SAVED_VIEWS = 20;
/** Addresses in the address book of an account. */
export const MAX_SAVED_ADDRESSES = 2_000;
/** Messages of one shipment that people may send again, all kinds together. */
export const MAX_RESENDS = 3;
/** Between two of them. */
export const RESEND_PAUSE_MINUTES = 60;

export const BODY_LIMIT_BYTES = 1024 * 1024;
/** For operations without a session, which anybody may call. */
export const SIGN_IN_BODY_LIMIT_BYTES = 8 * 1024;
export const BATCH_BODY_LIMIT_BYTES = 8 * 1024 * 1024;

/** Free-form content of a shipment, as JSON in UTF-8: every full read includes it, and a page has up to a hundred. */
export const MAX_METADATA_BYTES = 16 * 1024;
/** In addition to `orderId` and `shopDomain`; every webhook event includes it. */
export const MAX_EXTERNAL_REFERENCE_BYTES = 4 * 1024;

/** More than any van carries; keeps every price far below the maximum of an integer column in cents. */
export const MAX_WEIGHT_KG = 100_000;
export const MAX_DRIVER_LATITUDE = 85.05112878; // the limit of Redis geospatial indexes; there are no roads beyond it

/** More than merchants need, and few enough to keep batches small: each event may be sent to all of them. */
export const MAX_WEBHOOKS_PER_ACCOUNT = 20;

/** How an event is sent to a webhook. Any status other than 2xx, or a timeout, is a failure. */
export const WEBHOOK_DELIVERY = {
  /** Delay before each attempt, from the failure of the previous one; after the last failure the event is dropped. */
  delaysMs: [0, 1_000, 2_000],
  timeoutMs: 5_000,
} as const;

/** Events older than this are not sent again: their deliveries are purged after 30 days. */
export const RESENDABLE_DAYS = 28;
/** Events that one request sends again. The next request continues where it ended. */
export const MOST_RESENT_EVENTS = 10_000;
/** After a rotation has started, when the new secret of a webhook signs. */
export const SECRET_OVERLAP_HOURS = 24;

/** Length, not special characters, makes passwords hard to guess. */
export const SHORTEST_MEMBER_PASSWORD = 12;
export const RECOVERY_CODES = 10;
/** Members plus open invitations of an account. */
export const MAX_TEAM_SIZE = 100;
/** How many of its requests to the public API an account can see. */
export const REQUEST_LOG = { days: 7, most: 1_000 } as const;

/** Passkeys of one member. */
export const MAX_PASSKEYS = 10;
