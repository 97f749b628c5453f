import { CONSOLE_BASE_PATH, type ConsoleErrorSlug, consoleRoute } from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import { createIdentityProvider, type PendingSignIn } from '../../adapters/identity-provider/identity-provider.ts';
import { bindConsole } from '../../http/bind-console.ts';
import { SIGN_IN_COOKIE, STAFF_COOKIE } from '../../http/session-cookie.ts';
import { STAFF } from '../../identity/people.ts';
import { refuseAsNotFound } from '../../refusals/dashboard-refusal.ts';
import { createSealer } from '../../secrets/secret-sealer.ts';
import { browserOf } from './session-routes.ts';
import { NotAdmitted, readClaims, signInVouched, WithoutRole } from './single-sign-on.ts';
import type { StaffOptions } from './staff-options.ts';

const MINUTES_TO_SIGN_IN = 10; // at the identity provider
const ROW = 'single sign-on'; // what a sealed cookie is bound to
const failedPage = (error: ConsoleErrorSlug) => `/console/sign-in?error=${error}`;

/** Sign-in with an identity provider. Without OIDC_ISSUER the endpoints answer 404. */
export function serveSingleSignOn(app: FastifyInstance, { db, config, now }: StaffOptions): void {
  const { issuer, clientId, clientSecret, roleClaim } = config.oidc;
  const returnUrl = `${config.publicUrl}${CONSOLE_BASE_PATH}${consoleRoute('finishSingleSignOn').path}`;
  const provider = issuer && createIdentityProvider({ issuer, clientId, clientSecret, returnUrl, now });
  const sealer = createSealer({ of: 'sign-in', setting: 'SECOND_FACTOR_KEYS' }, config.secondFactorKeys);

  bindConsole(app, 'startSingleSignOn', async ({ answerWith, request }) => {
    if (!provider) return refuseAsNotFound();
    try {
      const { url, pending } = await provider.start();
      const cookie = SIGN_IN_COOKIE.set(seal({ ...pending, startedAt: now().getTime() }), MINUTES_TO_SIGN_IN * 60);
      return answerWith(302, { location: url, ...cookie }, null);
    } catch (error) {
      request.log.warn({ reason: (error as Error).message }, 'the identity provider does not answer');
      return answerWith(302, { location: failedPage('SINGLE_SIGN_ON_FAILED') }, null);
    }
  });

  bindConsole(app, 'finishSingleSignOn', async ({ answerWith, request }) => {
    if (!provider) return refuseAsNotFound();
    try {
      const pending = open(SIGN_IN_COOKIE.read(request));
      const claims = await provider.finish(new URL(request.url, config.publicUrl).search, pending);
      const token = await signInVouched(db, readClaims(claims, roleClaim), browserOf(request), now());
      return answerWith(302, { location: '/console', ...STAFF_COOKIE.set(token, STAFF.sessionSeconds) }, null);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      request.log.warn({ reason: error.message }, 'single sign-on refused');
      const slug = error instanceof WithoutRole ? 'SINGLE_SIGN_ON_NO_ROLE' : 'SINGLE_SIGN_ON_FAILED';
      return answerWith(302, { location: failedPage(slug), ...SIGN_IN_COOKIE.clear() }, null);
    }
  });

  type Sealed = PendingSignIn & { startedAt: number };

  function seal(pending: Sealed): string {
    const { key, sealed } = sealer.seal(ROW, JSON.stringify(pending));
    return `${key}.${sealed.toString('base64url')}`;
  }

  function open(cookie: string | null): Sealed {
    const [key = '', sealed = ''] = cookie?.split('.') ?? [];
    try {
      const pending = JSON.parse(sealer.open(ROW, { key, sealed: Buffer.from(sealed, 'base64url') })) as Sealed;
      if (now().getTime() - pending.startedAt <= MINUTES_TO_SIGN_IN * 60_000) return pending;
    } catch {
      // a missing or foreign cookie
    }
    throw new NotAdmitted('no sign-in is under way in this browser');
  }
}

/** Errors of the library are the provider's or the browser's fault; one of the database is ours. */
function isRefusal(error: unknown): error is Error {
  if (error instanceof NotAdmitted) return true;
  return error instanceof Error && !('severity' in error) && !('routine' in error);
}
