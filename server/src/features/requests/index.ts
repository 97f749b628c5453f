export { findAnyFailedRequest } from './find-failed-request.ts';
export { listCreations } from './list-creations.ts';
export { createMemoryRequestLog } from './memory-request-log.ts';
export { readRequests } from './read-requests.ts';
export { recordAccountRequests } from './record-account-requests.ts';
export { createRedisRequestLog } from './redis-request-log.ts';
export type { RequestLog } from './request-log.ts';
export { serveRequestsToDashboard } from './requests-dashboard-routes.ts';
export { serveRequests } from './requests-routes.ts';
