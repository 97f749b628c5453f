export { listImportedIds } from './imported-shipments.ts';
export { serveImports } from './imports-dashboard-routes.ts';
