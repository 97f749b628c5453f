/** Every state of a shipment, in the usual order. */
export const SHIPMENT_STATUSES = [
  'programmed',
  'created',
  'assigned',
  'picked_up',
  'in_transit',
  'delivered',
  'cancelled',
] as const;
export type ShipmentStatus = (typeof SHIPMENT_STATUSES)[number];

/** For display only: clients branch on the status, never on its label. */
export const STATUS_LABELS: Record<ShipmentStatus, string> = {
  programmed: 'Programmée',
  created: 'Créée',
  assigned: 'Livreur assigné',
  picked_up: 'Colis récupéré',
  in_transit: 'En cours de livraison',
  delivered: 'Livrée',
  cancelled: 'Annulée',
};

export const PRICING_MODELS = ['scheduled_slot', 'professional_tiered', 'professional_minimum'] as const;

export const PAYMENT_MODES = ['prepaid', 'deferred'] as const;
export type PaymentMode = (typeof PAYMENT_MODES)[number];

export const PAYMENT_STATUSES = ['current', 'grace', 'payment_required', 'suspended'] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];
