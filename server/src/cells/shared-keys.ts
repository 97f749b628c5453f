import { createHmac } from 'node:crypto';
import type { Config } from '../config.ts';

/**
 * Identifies the secrets that all cells must share, without revealing them: links and sealed secrets of an account stay
 * valid when it moves to another cell.
 */
export function fingerprintSharedKeys(
  config: Pick<Config, 'linkSecrets' | 'webhookSecretKeys' | 'secondFactorKeys'>,
): string {
  const { linkSecrets, webhookSecretKeys, secondFactorKeys } = config;
  const secrets = [linkSecrets, webhookSecretKeys, secondFactorKeys].map((list) => list.toSorted());
  return createHmac('sha256', JSON.stringify(secrets)).update('keys shared by cells').digest('hex').slice(0, 16);
}
