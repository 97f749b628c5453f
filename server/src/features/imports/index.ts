export { serveImports } from './imports-dashboard-routes.ts';
