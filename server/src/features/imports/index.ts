export { serveImports } from './dashboard-routes.ts';
