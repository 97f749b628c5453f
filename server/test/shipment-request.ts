import type { ShipmentRequest } from '@navette/contract';

/** A valid body of POST /shipping; `changes` override its fields. */
export function shipmentRequest(changes: Partial<ShipmentRequest> = {}): ShipmentRequest {
  return {
    deliveryAddress: {
      recipientName: 'Camille Durand',
      street: '8 avenue de l’Opéra',
      city: 'Paris',
      postalCode: '75001',
      phoneNumber: '+33612345678',
      email: 'camille@example.org',
      coordinates: { latitude: 48.8638, longitude: 2.3345 },
    },
    parcelDetails: { weight: 2.5, nature: 'Vêtements' },
    ...changes,
  };
}
