import type { FastifyInstance } from 'fastify';
import { bindDashboard } from '../../http/bind-dashboard.ts';
import { networkOf } from '../../network/client-network.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { refuseAsTooMany } from '../../refusals/refusal.ts';
import type { PasskeyOptions } from './passkey-options.ts';
import { signInWithPasskey, startPasskeySignIn } from './passkey-sign-in.ts';
import { addPasskey, listPasskeys, removePasskey, startPasskey } from './passkeys.ts';
import { browserOf, startSession } from './start-session.ts';

/** Each is kept for five minutes, and anybody may ask for one. An office may share one address. */
const CHALLENGES_PER_CLIENT = { minute: 60, hour: 600, day: 3_000 };

/** Endpoints for passkeys: sign-in, and those of the own profile. */
export function servePasskeys(app: FastifyInstance, options: PasskeyOptions): void {
  const { db, relyingParty, now } = options;

  bindDashboard(app, 'startPasskeySignIn', async ({ request, answer }) => {
    const client = `passkey-challenges:${networkOf(request.ip)}`;
    const { exhausted } = await options.rateLimiter.take(client, CHALLENGES_PER_CLIENT);
    if (exhausted) refuseAsTooMany(exhausted);
    return answer(200, { success: true, challenge: await startPasskeySignIn(options), rpId: relyingParty.id });
  });

  bindDashboard(app, 'signInWithPasskey', async ({ body, answer, request }) => {
    const token = await signInWithPasskey(options, body, browserOf(request), now());
    const { session, cookie } = await startSession(options, token);
    return answer(201, session, cookie);
  });

  bindDashboard(app, 'listPasskeys', async ({ member, answer }) => {
    const passkeys = await listPasskeys(db, member.memberId);
    return answer(200, { success: true, passkeys: passkeys.map(present) });
  });

  bindDashboard(app, 'startPasskey', async ({ member, body, answer }) =>
    answer(200, { success: true, ...(await startPasskey(options, member, body, now())) }),
  );

  bindDashboard(app, 'addPasskey', async ({ member, body, answer }) => {
    const passkey = await addPasskey(options, member, body, now());
    return answer(201, { success: true, passkey: present(passkey) });
  });

  bindDashboard(app, 'removePasskey', async ({ member, params, body, answer }) => {
    if (!(await removePasskey(options, member, params.id, body, now()))) return refuseAsNotFound();
    return answer(200, { success: true });
  });
}

type Listed = Pick<Awaited<ReturnType<typeof listPasskeys>>[number], 'id' | 'name' | 'created_at' | 'last_used_at'>;

const present = ({ id, name, created_at, last_used_at }: Listed) => ({
  id,
  name,
  createdAt: created_at.toISOString(),
  lastUsedAt: last_used_at?.toISOString() ?? null,
});
