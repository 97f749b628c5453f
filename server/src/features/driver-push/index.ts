export { serveDriverPush } from './driver-push-commands.ts';
export { enqueuePushes, subscribedSessions } from './enqueue-pushes.ts';
export { openPushClient } from './open-push-client.ts';
export { createPushMetrics } from './push-metrics.ts';
