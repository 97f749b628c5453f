export { serveInbox } from './inbox-console-routes.ts';
