// Generated from contract/ by `npm run generate`; edits are lost.

/** How to resolve each refusal of the contract. */
export const REMEDIES: Record<string, string> = {
  MISSING_API_KEY: 'Send `Authorization: Bearer <key>`.',
  MISSING_CLIENT_ID: 'Send `X-Client-Id` with the account’s client id.',
  INVALID_API_KEY: 'Use another key, or create one.',
  EXPIRED_API_KEY: 'Create a new key.',
  PROFESSIONAL_NOT_FOUND: 'Contact the operator.',
  INVALID_CLIENT_ID: 'Send the key and the client id of the same account.',
  INSUFFICIENT_PERMISSIONS: 'Use a key with that scope: GET read, POST and PUT write, DELETE delete.',
  INTERNAL_ERROR: 'Retry; if the error persists, report the `X-Request-Id` of the response.',
  CLIENT_TYPE_REQUIRED: 'Contact the operator; do not retry.',
  CONTRACT_SIGNATURE_REQUIRED: 'Sign the contract with the operator; do not retry.',
  PICKUP_ADDRESS_REQUIRED: 'Call PUT /shipping/pickup-address, then retry.',
  PICKUP_ADDRESS_NOT_GEOCODABLE: 'Send it again with coordinates.',
  INSUFFICIENT_BALANCE: 'Top up the account, then retry with the same idempotency key.',
  ACCOUNT_SUSPENDED: 'Pay the amount due to the operator.',
  PAYMENT_REQUIRED: 'Pay the amount due to the operator.',
  IDEMPOTENCY_KEY_CONFLICT: 'Retry with a new key.',
  VALIDATION_ERROR: 'Read `details`, in logs only.',
};
