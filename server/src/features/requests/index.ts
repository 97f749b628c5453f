export { serveRequestsToDashboard } from './dashboard-routes.ts';
export { keepRequestLog } from './keep-request-log.ts';
