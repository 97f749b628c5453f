import type { Language, ShipmentStatus } from '@navette/contract';

/** The status in an exported file, in the words of the dashboard (docs/terms.md). `statusLabel` of the API has its own. */
export const STATUS_NAMES: Record<Language, Record<ShipmentStatus, string>> = {
  fr: {
    programmed: 'Programmé',
    created: 'Créé',
    assigned: 'Attribué',
    picked_up: 'Pris en charge',
    in_transit: 'En route',
    delivered: 'Livré',
    cancelled: 'Annulé',
  },
  en: {
    programmed: 'Scheduled',
    created: 'Created',
    assigned: 'Assigned',
    picked_up: 'Picked up',
    in_transit: 'On the way',
    delivered: 'Delivered',
    cancelled: 'Cancelled',
  },
};
