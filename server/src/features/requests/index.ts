export { findAnyFailedRequest } from './failed-requests.ts';
export { listCreations } from './list-creations.ts';
export { readRequests } from './read-requests.ts';
export { recordAccountRequests } from './record-account-requests.ts';
export { serveRequestsToDashboard } from './requests-dashboard-routes.ts';
