/** Reasons why a parcel cannot be handed over, as the driver reports them at the address. */
export const REPORTABLE_INCIDENT_KINDS = [
  'recipient_absent',
  'recipient_refuses',
  'wrong_address',
  'damaged',
  'unreachable',
  'other',
] as const;

/** `code_refused`: a code that was typed without network turned out to be wrong; the server opens the incident. */
export const INCIDENT_KINDS = [...REPORTABLE_INCIDENT_KINDS, 'code_refused'] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** An incident does not change the status; `left_with` and `confirmed` also deliver the shipment. */
export const OPERATOR_RESOLUTIONS = ['tried_again', 'returned', 'left_with', 'confirmed'] as const;
export type OperatorResolution = (typeof OPERATOR_RESOLUTIONS)[number];

/** `cancelled`: the merchant cancelled the shipment before the pickup, which ends its incident. */
export const INCIDENT_RESOLUTIONS = [...OPERATOR_RESOLUTIONS, 'cancelled'] as const;
export type IncidentResolution = (typeof INCIDENT_RESOLUTIONS)[number];
