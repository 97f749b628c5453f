export { listAnyUnassigned, listAnyWithoutLocation } from './attention.ts';
export { auditDispatch } from './audit.ts';
export { serveDispatch } from './commands.ts';
export { explainAnyShipment } from './explain.ts';
export { measureDispatch } from './metrics.ts';
export {
  assignAnyShipment,
  confirmAnyDelivery,
  type HandsOutcome,
  locateAnyShipment,
  type OperatorHands,
  unassignAnyShipment,
} from './operator.ts';
