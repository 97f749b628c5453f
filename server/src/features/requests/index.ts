export { listCreations } from './list-creations.ts';
export { recordAccountRequests } from './record-account-requests.ts';
export { serveRequestsToDashboard } from './requests-dashboard-routes.ts';
