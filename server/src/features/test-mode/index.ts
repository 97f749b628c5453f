export { emptyTwin } from './empty-twin.ts';
export { serveModeSwitch } from './mode-dashboard-routes.ts';
export { serveTestMode } from './test-mode-routes.ts';
