export { serveDriverPush } from './driver-push-commands.ts';
export { enqueueAllPushes, enqueuePushes, type Notified, subscribedSessions } from './enqueue-pushes.ts';
export { openPushClient } from './open-push-client.ts';
export { createPushMetrics } from './push-metrics.ts';
