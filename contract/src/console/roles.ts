/**
 * Permissions of staff: read everything; move parcels; help merchants and recipients; change money and prices; manage
 * staff and read the log of acts.
 */
export const STAFF_NEEDS = ['read', 'dispatch', 'support', 'money', 'administer'] as const;
export type StaffNeed = (typeof STAFF_NEEDS)[number];

export const STAFF_ROLES = ['dispatcher', 'support', 'accountant', 'admin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export const STAFF_ROLE_ALLOWS: Record<StaffRole, readonly StaffNeed[]> = {
  dispatcher: ['read', 'dispatch'],
  support: ['read', 'dispatch', 'support'],
  accountant: ['read', 'money'],
  admin: ['read', 'dispatch', 'support', 'money', 'administer'],
};

/** Acts that may wait for a second person, and the permission to decide them. */
export const APPROVAL_NEEDS = {
  'account.credited': 'money',
  'shipment.delivery_confirmed': 'dispatch',
} as const satisfies Record<string, StaffNeed>;
export type ApprovableAct = keyof typeof APPROVAL_NEEDS;
