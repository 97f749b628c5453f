import { startTestServer, type TestServer } from './test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts';

export interface WebhookServer {
  server: TestServer;
  receiver: WebhookReceiver;
  stop: () => Promise<void>;
}

/** A test server that may send to loopback, and a webhook receiver there. */
export async function startWebhookServer(settings: Record<string, string> = {}): Promise<WebhookServer> {
  const receiver = await startWebhookReceiver();
  const own = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', LOG_LEVEL: 'info' };
  const server = await startTestServer({ ...own, ...settings });
  return {
    server,
    receiver,
    async stop() {
      await server.stop();
      await receiver.stop();
    },
  };
}
