export * from './endpoints.ts';
export * from './errors.ts';
export { buildDriverOpenApi, driverAnswersOf } from './openapi.ts';
export { DRIVER_PUSHES, type DriverPush } from './pushes.ts';
export type { Driver, DriverShipment, Offer, PositionRequest } from './schemas.ts';
