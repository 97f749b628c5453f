/** Permissions: read, ship parcels, pay, manage keys and webhooks, manage the account and its members. */
export const NEEDS = ['read', 'ship', 'pay', 'develop', 'own'] as const;
export type Need = (typeof NEEDS)[number];

export const ROLES = ['owner', 'developer', 'operations', 'read-only'] as const;
export type Role = (typeof ROLES)[number];

export const ROLE_ALLOWS: Record<Role, readonly Need[]> = {
  owner: ['read', 'ship', 'pay', 'develop', 'own'],
  developer: ['read', 'ship', 'develop'],
  operations: ['read', 'ship', 'pay'], // people who ship must be able to go on when the balance runs out
  'read-only': ['read'],
};

export const LANGUAGES = ['fr', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A session shows the live account or its test twin. */
export const MODES = ['live', 'test'] as const;
export type Mode = (typeof MODES)[number];

/** The header for the session's `csrfToken`, required for every method except GET. */
export const CSRF_HEADER = 'x-csrf-token';
