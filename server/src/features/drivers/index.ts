export { ACTIVE_RUN_LITERALS, ACTIVE_RUN_STATUSES, hasCapacity } from './active-runs.ts';
export {
  applyOnce,
  COMMANDS_KEPT_DAYS,
  type DriverCommand,
  forgetPlace,
  type RecordedRefusal,
  readCommand,
} from './apply-once.ts';
export { serveDrivers } from './driver-commands.ts';
export { type ExpiringDocument, listDriverDocuments, listExpiringDocuments } from './driver-documents.ts';
export { readDriverNumber } from './driver-number.ts';
export { createDriverSessions } from './driver-sessions.ts';
export { endSessions, listSessions } from './end-sessions.ts';
export { createLivePositions } from './live-positions.ts';
export {
  BadDriverInput,
  createDriver,
  createDrivers,
  type DriverInput,
  disableDriver,
  findDriver,
  issueToken,
  listDrivers,
  setPassword,
} from './manage-drivers.ts';
export { createMemoryPositions } from './memory-positions.ts';
export { servePasswordLinks } from './password-link-commands.ts';
export { createPasswordLink } from './password-links.ts';
export type { DriverPositions, Nearby, NearDriver, Position, SeenDriver } from './positions.ts';
export { createRedisPositions } from './redis-positions.ts';
export { findRobots } from './robots.ts';
export { purposeFor, sendPasswordLink } from './send-password-link.ts';
export { listSilentDrivers, type SilentDriver } from './silent-drivers.ts';
