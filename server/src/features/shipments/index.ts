export { checkAccount, findBlocks } from './account-checks.ts';
export { activateShipment } from './activate-shipment.ts';
export { auditIdempotencyKeys, auditShipments } from './audit-shipments.ts';
export { cancelShipment } from './cancel-shipment.ts';
export { changeLocked, changeStatus, lockForChange } from './change-status.ts';
export { buildCreationContext, type CreationContext, createShipment, refusalOf } from './create-shipment.ts';
export { deliveryQrPublicKeys, judgeDeliveryQr, signDeliveryQr } from './delivery-qr.ts';
export { erasedKeyOf, findKeyUses, replayOf, storedKeyOf } from './idempotency-keys.ts';
export { checkFunds } from './insert-shipments.ts';
export { transition } from './lifecycle.ts';
export { locateShipment, setLocation } from './locate-shipment.ts';
export { isOnTime, type PromisedTime, promisedUntil } from './on-time.ts';
export { DROP_POINT, IS_OPEN_DROP, IS_OPEN_PICKUP, PICKUP_POINT } from './open-stops.ts';
export {
  checkFieldsTogether,
  type PreparationContext,
  type PreparedShipment,
  prepareShipment,
} from './prepare-shipment.ts';
export { projectionOf, type ShipmentReader } from './read-shipment.ts';
export { isReferenceNumber } from './reference-number.ts';
export { scheduleWaitingShipments } from './schedule-waiting-shipments.ts';
export { findRange, findShipmentIds } from './shipment-filter.ts';
export { type ShipmentsOptions, serveShipments } from './shipments-routes.ts';
export { readSignedReference, signReference } from './signed-reference.ts';
