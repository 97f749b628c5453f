/** Requests an account may make in each fixed window, unless the operator set others for it. */
export const DEFAULT_RATE_LIMITS = { minute: 60, hour: 1_000, day: 10_000 } as const;

export const RATE_WINDOWS = ['minute', 'hour', 'day'] as const;
export type RateWindow = (typeof RATE_WINDOWS)[number];

export const MAX_ACTIVE_KEYS_PER_ACCOUNT = 10;
export const MAX_GROUP_REFERENCE_LENGTH = 64;
export const MAX_IDEMPOTENCY_KEY_LENGTH = 200;

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100; // a larger `limit` counts as this one
export const MAX_BATCH_ENTRIES = 500;
export const MAX_EXPORTED_LABELS = 1_000;

export const BODY_LIMIT_BYTES = 1024 * 1024;
export const BATCH_BODY_LIMIT_BYTES = 8 * 1024 * 1024;

/** No van carries more; keeps every price far inside what a cent column can hold. */
export const MAX_WEIGHT_KG = 100_000;
export const MAX_DRIVER_LATITUDE = 85.05112878; // beyond it Redis has no map, and nobody drives

/** Far above honest use: each event goes to every one of them. */
export const MAX_WEBHOOKS_PER_ACCOUNT = 100;

/** How an event is sent to a webhook. Any status but 2xx, or none in time, is a failure. */
export const WEBHOOK_DELIVERY = {
  /** Waited before each attempt, counted from the failure of the one before; after the last the event is dropped. */
  delaysMs: [0, 1_000, 2_000],
  timeoutMs: 5_000,
} as const;

/** Long rather than odd: what is hard to guess is length. */
export const SHORTEST_MEMBER_PASSWORD = 12;
export const RECOVERY_CODES = 10;
/** Members and open invitations of an account, together. */
export const MAX_TEAM_SIZE = 100;
/** How far back an account can look at its requests to the public API. */
export const REQUEST_LOG = { days: 7, most: 1_000 } as const;
