import * as oidc from 'openid-client';
import { isLoopback } from '../../network/is-loopback.ts';

const SCOPE = 'openid email profile';
const CLOCK_TOLERANCE_SECONDS = 60; // between the provider's clock and ours, in both directions
const TIMEOUT_SECONDS = 5; // per request to the provider

export interface IdentityProviderOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Where the provider sends people back to. */
  returnUrl: string;
  now: () => Date;
}

/** Secrets of a sign-in under way, kept until the person returns. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  verifier: string;
}

export type ProviderClaims = Record<string, unknown> & { iss: string; sub: string };

export interface IdentityProvider {
  start(): Promise<{ url: string; pending: PendingSignIn }>;
  /** The verified claims of the ID token. Throws when the provider did not vouch for the person. */
  finish(search: string, pending: PendingSignIn): Promise<ProviderClaims>;
}

/**
 * OpenID Connect: authorization code with PKCE, state and nonce. The provider's metadata and keys are read for each
 * sign-in, which is rare, so that rotated keys are known at once.
 */
export function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider {
  const { issuer, clientId, clientSecret, returnUrl, now } = options;
  const address = new URL(issuer);
  const isLocal = address.protocol === 'http:' && isLoopback(address.hostname);

  async function discover(): Promise<oidc.Configuration> {
    const clock = {
      [oidc.clockSkew]: Math.round((now().getTime() - Date.now()) / 1_000),
      [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    };
    const configuration = await oidc.discovery(
      address,
      clientId,
      { client_secret: clientSecret, ...clock },
      undefined,
      {
        timeout: TIMEOUT_SECONDS,
        execute: isLocal ? [oidc.allowInsecureRequests] : [],
      },
    );
    oidc.enableNonRepudiationChecks(configuration); // verifies the signature, although TLS protects the answer
    return configuration;
  }

  return {
    async start() {
      const pending = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(await discover(), {
        redirect_uri: returnUrl,
        scope: SCOPE,
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, pending };
    },
    async finish(search, { state, nonce, verifier }) {
      const current = new URL(returnUrl);
      current.search = search;
      const tokens = await oidc.authorizationCodeGrant(await discover(), current, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (!claims) throw new Error('the provider sent no ID token');
      refuseFromTheFuture(claims.iat, now());
      return claims;
    },
  };
}

/** The library checks the expiry only. */
function refuseFromTheFuture(issuedAt: number, now: Date): void {
  const ahead = issuedAt - now.getTime() / 1_000;
  if (ahead > CLOCK_TOLERANCE_SECONDS) throw new Error(`the ID token was issued ${Math.round(ahead)} s in the future`);
}
