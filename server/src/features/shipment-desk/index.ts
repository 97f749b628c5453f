export { addSearchKeys } from './add-search-keys.ts';
export { findPrintableIds } from './find-printable-ids.ts';
export { rebuildAllSearchKeys } from './rebuild-search-keys.ts';
export { type ShipmentDeskOptions, serveShipmentDesk } from './shipment-desk-dashboard-routes.ts';
