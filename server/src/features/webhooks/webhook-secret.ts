import { randomBytes } from 'node:crypto';
import { createSealer, type SealedSecret } from '../../secrets/secret-sealer.ts';

/** The webhook that a secret belongs to. Part of the encryption, so that a secret cannot be moved to another row. */
export interface WebhookRef {
  accountId: string;
  webhookId: string;
}

/** Encrypts the secrets of webhooks at rest: the first key encrypts, all of them decrypt. */
export interface SecretKeeper {
  readonly newestKey: string;
  readonly keys: readonly string[];
  seal(webhook: WebhookRef, secret: string): SealedSecret;
  open(webhook: WebhookRef, sealed: SealedSecret): string;
}

/** For merchants who send none. The prefix lets scanners for leaked secrets recognise it. */
export const newWebhookSecret = () => `navette_whsec_${randomBytes(32).toString('base64url')}`;

export function createSecretKeeper(passphrases: readonly string[]): SecretKeeper {
  const sealer = createSealer({ of: 'webhook', setting: 'WEBHOOK_SECRET_KEYS' }, passphrases);
  return {
    newestKey: sealer.newestKey,
    keys: sealer.keys,
    seal: (webhook, secret) => sealer.seal(rowOf(webhook), secret),
    open: (webhook, sealed) => sealer.open(rowOf(webhook), sealed),
  };
}

const rowOf = ({ accountId, webhookId }: WebhookRef) => `${accountId}:${webhookId}`;
