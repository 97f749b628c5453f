import { startTestServer, type TestServer } from './test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

export interface WebhookServer {
  server: TestServer;
  receiver: WebhookReceiver;
  stop: () => Promise<void>;
}

/** A test server that may send to loopback, and somebody there who listens. */
export async function startWebhookServer(): Promise<WebhookServer> {
  const receiver = await startWebhookReceiver();
  const server = await startTestServer({ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'info' });
  return {
    server,
    receiver,
    async stop() {
      await server.stop();
      await receiver.stop();
    },
  };
}
