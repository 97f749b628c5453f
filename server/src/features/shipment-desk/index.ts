export { addSearchKeys } from './add-search-keys.ts';
export { findPrintableIds } from './find-printable-ids.ts';
export { quoteShipment } from './quote-shipment.ts';
export { rebuildAllSearchKeys } from './rebuild-search-keys.ts';
export { SEARCH_FIELDS } from './search-key.ts';
export { type ShipmentDeskOptions, serveShipmentDesk } from './shipment-desk-dashboard-routes.ts';
