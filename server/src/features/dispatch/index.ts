export {
  type AnyShipment,
  type DueShipment,
  listAnyCodeLocked,
  listAnyDue,
  listAnyUnassigned,
  listAnyWithoutLocation,
  listAnyWithoutPickupTime,
} from './attention.ts';
export { auditDispatch } from './audit-dispatch.ts';
export { listAnyStandingZones } from './change-zones.ts';
export { readAnyConsoleShipment } from './console-shipment.ts';
export { recordDecision } from './decisions.ts';
export { serveDispatchToConsole } from './dispatch-console-routes.ts';
export { measureDispatch } from './dispatch-metrics.ts';
export { type DispatchStep, readDispatchStory } from './dispatch-story.ts';
export { closeOffers, closeSearch, listAsked } from './end-search.ts';
export { explainAnyShipment } from './explain.ts';
export {
  type AssignmentObstacle,
  assignAnyShipment,
  confirmAnyDelivery,
  findAnyShipment,
  locateAnyShipment,
  type OperatorContext,
  type OperatorResult,
  unassignAnyShipment,
} from './operator.ts';
export { type IncidentDecision, NotReturnable, resolveAnyIncident } from './resolve-incident.ts';
export { lockActiveSearch, lockShipment } from './searches.ts';
export { readAnyShipmentVersions, readShipmentVersion, requireVersion, SHIPMENT_VERSION } from './shipment-version.ts';
export { undoAnyAssignment } from './undo-assignment.ts';
export { serveZones } from './zones-console-routes.ts';
