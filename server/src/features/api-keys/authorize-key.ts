import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../http/caller.ts';
import { isWithin } from '../../http/key-restrictions.ts';
import { refuse } from '../../refusals/refusal.ts';
import type { Authorize } from '../members/index.ts';
import { compileNarrowing } from './narrowing.ts';

/**
 * Locks and re-reads the key of a request. A concurrent revocation or restriction either waits for this transaction, or has
 * committed and is visible here. members/require-actor.ts documents the lock order.
 */
export const authorizeKey =
  ({ accountId, key: { id } }: Caller, request: FastifyRequest, now: Date): Authorize =>
  async (tx) => {
    const key = await tx
      .selectFrom('api_keys')
      .select(['name', 'hint', 'expires_at as expiresAt', 'networks', 'resources'])
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .forShare()
      .executeTakeFirst();
    if (!key) return refuse('INVALID_API_KEY');
    if (key.expiresAt && key.expiresAt <= now) return refuse('EXPIRED_API_KEY');
    const restrictions = compileNarrowing(key.networks, key.resources);
    if (restrictions && !isWithin(restrictions, request)) return refuse('INSUFFICIENT_PERMISSIONS');
    return { kind: 'key', id, name: key.name, hint: key.hint };
  };
