import type { PushSubscriptionRequest } from '@navette/contract';
import { isForbiddenPort } from '../../adapters/endpoint/forbidden-ports.ts';
import { isForbiddenHost, type TargetRules } from '../../adapters/endpoint/target-rules.ts';
import { areBrowserKeys } from '../../adapters/push/encrypt-payload.ts';
import type { Database } from '../../database/database.ts';
import type { SignedInDriver } from '../../http/driver-authentication.ts';
import { refuseDriver } from '../../refusals/driver-refusal.ts';

type Session = Pick<SignedInDriver, 'driverId' | 'tokenHash'>;

/**
 * One subscription per session. A browser keeps its subscription when another driver signs in on it, so rows of other
 * sessions with the same endpoint are deleted: they would show one driver's offers to the other.
 */
export async function saveSubscription(
  db: Database,
  { driverId, tokenHash }: Session,
  { endpoint, keys }: PushSubscriptionRequest,
  rules: TargetRules,
  now: Date,
): Promise<void> {
  if (!isAcceptable(endpoint, rules)) refuseDriver('PUSH_REFUSED');
  const [p256dh, auth] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')];
  if (!areBrowserKeys({ p256dh, auth })) refuseDriver('PUSH_REFUSED');
  const token_hash = Buffer.from(tokenHash, 'hex');
  const values = { endpoint, p256dh, auth, created_at: now };
  await db.transaction().execute(async (tx) => {
    await tx
      .deleteFrom('driver_push_subscriptions')
      .where('endpoint', '=', endpoint)
      .where('token_hash', '!=', token_hash)
      .execute();
    await tx
      .insertInto('driver_push_subscriptions')
      .values({ token_hash, driver_id: driverId, ...values })
      .onConflict((conflict) => conflict.column('token_hash').doUpdateSet(values))
      .execute();
  });
}

export async function removeSubscription(db: Database, { driverId, tokenHash }: Session): Promise<void> {
  await db
    .deleteFrom('driver_push_subscriptions')
    .where('driver_id', '=', driverId)
    .where('token_hash', '=', Buffer.from(tokenHash, 'hex'))
    .execute();
}

/** Push services use https. Plain http is accepted only where the operator opened private networks, for development. */
function isAcceptable(endpoint: string, rules: TargetRules): boolean {
  if (!URL.canParse(endpoint)) return false;
  const target = new URL(endpoint);
  const protocols = rules.allowsLocalNames ? ['https:', 'http:'] : ['https:'];
  if (!protocols.includes(target.protocol) || target.username || target.password) return false;
  return !isForbiddenPort(target.port) && !isForbiddenHost(target, rules);
}
