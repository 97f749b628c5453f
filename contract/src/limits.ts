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
