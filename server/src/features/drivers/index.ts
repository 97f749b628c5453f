export { serveDrivers } from './commands.ts';
export { createDriverSessions } from './driver-sessions.ts';
export { selectViews, viewForDriver } from './driver-view.ts';
export { canTakeAnother, IN_HAND } from './in-hand.ts';
export { createLivePositions } from './live-positions.ts';
export {
  BadDriverInput,
  createDriver,
  createDrivers,
  disableDriver,
  findDriver,
  listDrivers,
  setPassword,
} from './manage-drivers.ts';
export { type NearDriver, nearestDrivers } from './positions.ts';
