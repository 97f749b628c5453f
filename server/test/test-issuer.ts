import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { type Context } from 'oidc-provider';

const CLIENT = { clientId: 'navette', clientSecret: 'a-secret-of-the-test-client' };

export interface TestIssuer {
  url: string;
  /** Settings of a server that signs staff in here. */
  settings: Record<string, string>;
  /** The person who is signed in at the provider, and the claims about them. */
  person: { id: string; claims: Record<string, unknown> };
  /** Whether a person presses a button there first. */
  asks: boolean;
  /** The address to which people return. */
  trust(returnUrl: string): void;
  /** Replaces the signing key: the old one is gone at once. */
  rotateKeys(): void;
  stop(): Promise<void>;
}

/** The sign-in page of the provider, in a browser. */
const PAGE =
  '<!doctype html><title>Example Ltd</title><form method="post"><button>Continue as this person</button></form>';

/** An identity provider on loopback that implements OpenID Connect: everybody who comes is signed in as `person`. */
export async function startTestIssuer(): Promise<TestIssuer> {
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer: Pick<TestIssuer, 'person' | 'asks'> = { person: { id: 'nobody', claims: {} }, asks: false };
  let returnUrl = 'http://127.0.0.1/unset';

  function rotateKeys(): void {
    const provider = createProvider(url, returnUrl, issuer);
    const callback = provider.callback();
    handle = async (request, response) => {
      if (!request.url?.startsWith('/interaction/')) return callback(request, response);
      if (issuer.asks && request.method === 'GET') response.setHeader('content-type', 'text/html').end(PAGE);
      else await provider.interactionFinished(request, response, { login: { accountId: issuer.person.id } });
    };
  }
  rotateKeys();

  return Object.assign(issuer, {
    url,
    settings: {
      OIDC_ISSUER: url,
      OIDC_CLIENT_ID: CLIENT.clientId,
      OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      OIDC_NAME: 'Example Ltd',
    },
    trust(address: string) {
      returnUrl = address;
      rotateKeys();
    },
    rotateKeys,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}

function createProvider(url: string, returnUrl: string, issuer: Pick<TestIssuer, 'person'>): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: randomUUID() };
  return new Provider(url, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [returnUrl],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [key] },
    pkce: { required: () => true },
    claims: { openid: ['sub', 'role'], email: ['email', 'email_verified'], profile: ['name', 'locale'] },
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['of-the-test-issuer'] },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...issuer.person.claims }),
    }),
    async loadExistingGrant({ oidc: { client, session, provider } }: Context) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
}
