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

/**
 * The fields of the console's search, most specific first, and the permission that each needs. A person is searched by
 * name, town or phone only by those who work with parcels; keys and requests only by those who help merchants.
 */
export const SEARCH_FIELD_NEEDS = {
  reference: 'read',
  order: 'read',
  recipient: 'dispatch',
  town: 'dispatch',
  phone: 'dispatch',
  merchant: 'read',
  driver: 'read',
  request: 'support',
  key: 'support',
} as const satisfies Record<string, StaffNeed>;
export type SearchField = keyof typeof SEARCH_FIELD_NEEDS;
