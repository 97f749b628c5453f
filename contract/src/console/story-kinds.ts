/** Everything that can happen to a shipment, for its page. In a file without the schema library, for the web app. */
export const STORY_KINDS = [
  'status',
  'search_started',
  'considered',
  'offered',
  'offer_refused',
  'offer_expired',
  'offer_withdrawn',
  'assigned',
  'nobody_left',
  'needs_location',
  'geocoder_away',
  'positions_unknown',
  'offers_stopped',
  'abandoned',
  'taken_away',
  'assignment_undone',
  'search_stopped',
  'returned',
  'time_not_used',
  'delivery_confirmed',
  'message',
  'webhook',
  'charged',
  'refunded',
  'driver_paid',
  'incident_opened',
  'incident_ended',
  'proof',
  'report_opened',
  'act',
] as const;
export type StoryKind = (typeof STORY_KINDS)[number];

/** Acts of staff on one shipment. All need the permission `dispatch`. */
export const SHIPMENT_ACTS = [
  'assign',
  'unassign',
  'locate_pickup',
  'locate_delivery',
  'confirm_delivery',
  'resolve_incident',
  'cancel',
] as const;
export type ShipmentAct = (typeof SHIPMENT_ACTS)[number];
