import { createEndpointClient } from '../../adapters/endpoint/endpoint-client.ts';
import { createTargetRules } from '../../adapters/endpoint/target-rules.ts';
import { createPushClient, type PushClient } from '../../adapters/push/push-client.ts';
import { readVapidKey } from '../../adapters/push/vapid.ts';
import type { Config } from '../../config.ts';

const TIMEOUT_MS = 5_000;

/** The worker's client of push services. Without a VAPID key it has none to send with. */
export function openPushClient({ push, webhookAllowedNetworks }: Pick<Config, 'push' | 'webhookAllowedNetworks'>): {
  client: PushClient | null;
  close(): Promise<void>;
} {
  if (push.privateKey === null) return { client: null, close: async () => {} };
  const endpoint = createEndpointClient({ ...createTargetRules(webhookAllowedNetworks), timeoutMs: TIMEOUT_MS });
  const client = createPushClient(endpoint, readVapidKey(push.privateKey), push.subject);
  return { client, close: () => endpoint.close() };
}
