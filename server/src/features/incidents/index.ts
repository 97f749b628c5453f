export { auditIncidents } from './audit-incidents.ts';
export { endIncident, type Resolution, updateOpenIncident } from './end-incident.ts';
export { openIncident } from './open-incident.ts';
export {
  listAnyIncidentsOf,
  listAnyOpenIncidents,
  listIncidentsForStaff,
  listShipmentIncidents,
} from './read-incidents.ts';
