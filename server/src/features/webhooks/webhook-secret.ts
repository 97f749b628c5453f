import { randomBytes } from 'node:crypto';
import { createSealer, type SealedSecret } from '../../secret-sealer.ts';

/** Which webhook a secret belongs to. Sealed in with it, so that a row cannot be given another one's secret. */
export interface WebhookRef {
  accountId: string;
  webhookId: string;
}

/** Keeps the secrets of webhooks encrypted at rest: the first key seals, all of them open. */
export interface SecretKeeper {
  readonly newestKey: string;
  seal(webhook: WebhookRef, secret: string): SealedSecret;
  open(webhook: WebhookRef, sealed: SealedSecret): string;
}

/** Made for merchants who bring none; its start tells a scanner of leaked secrets what it has found. */
export const newWebhookSecret = () => `navette_whsec_${randomBytes(32).toString('base64url')}`;

export function createSecretKeeper(passphrases: readonly string[]): SecretKeeper {
  const sealer = createSealer({ of: 'webhook', setting: 'WEBHOOK_SECRET_KEYS' }, passphrases);
  return {
    newestKey: sealer.newestKey,
    seal: (webhook, secret) => sealer.seal(rowOf(webhook), secret),
    open: (webhook, sealed) => sealer.open(rowOf(webhook), sealed),
  };
}

const rowOf = ({ accountId, webhookId }: WebhookRef) => `${accountId}:${webhookId}`;
