export { addSearchKeys } from './add-search-keys.ts';
export { type ShipmentDeskOptions, serveShipmentDesk } from './dashboard-routes.ts';
export { findMatchingIds } from './find-matching-ids.ts';
export { rebuildAllSearchKeys } from './rebuild-search-keys.ts';
export { searchKey } from './search-key.ts';
