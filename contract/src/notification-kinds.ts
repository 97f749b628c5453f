import type { Role } from './dashboard/roles.ts';

/** Kinds of notifications, with the roles that each concerns. */
export const NOTIFICATION_KINDS = {
  'webhook-failing': ['owner', 'developer'],
  'webhook-paused': ['owner', 'developer'],
  'key-expiring': ['owner', 'developer'],
  incident: ['owner', 'operations'],
  'recurring-refused': ['owner', 'operations'],
  'import-finished': ['owner', 'operations'],
  'balance-low': ['owner'],
  'balance-empty': ['owner', 'operations'],
  'invoice-issued': ['owner'],
} as const satisfies Record<string, readonly Role[]>;
export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

/** Mailed only to members who chose it: a member who waits for an import sees it end. */
export const MAILED_ON_REQUEST: readonly NotificationKind[] = ['import-finished'];

export const SHOWN_NOTIFICATIONS = 50;
