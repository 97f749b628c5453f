import type { FastifyRequest } from 'fastify';

/** `__Host-`: browsers take it only with Secure and Path=/ and without a domain, so no other host can plant one. */
const SESSION_COOKIE = '__Host-navette-session';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

export function readSessionCookie({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  const prefix = `${SESSION_COOKIE}=`;
  const found = headers.cookie?.split(/;\s*/).find((pair) => pair.startsWith(prefix));
  return found?.slice(prefix.length) || null;
}

export const setSessionCookie = (token: string, seconds: number) => ({
  'set-cookie': `${SESSION_COOKIE}=${token}; Max-Age=${seconds}; ${ATTRIBUTES}`,
});

export const clearSessionCookie = () => setSessionCookie('', 0);
