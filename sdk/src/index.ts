export { type CreatedShipment, type CreateOptions, type LabelSelection, type ListFilters, Navette } from './client.ts';
export type { CreateManyOptions, CreateManyResult } from './create-many.ts';
export type * from './generated/api-types.ts';
export type { OrderKey } from './idempotency-key.ts';
export type { ReconcileOptions, ReconcileResult } from './reconcile.ts';
export type { ShipmentList, ShipmentPage } from './shipment-list.ts';
export type { Attempt, CallOptions, NavetteOptions } from './transport.ts';
export * from './webhooks.ts';
