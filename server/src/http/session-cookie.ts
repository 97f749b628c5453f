import type { FastifyRequest } from 'fastify';

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';

/** Browsers accept a `__Host-` cookie only with Secure, Path=/ and no domain, so no other host can set one. */
function hostCookie(name: `__Host-${string}`) {
  const set = (value: string, seconds: number) => ({
    'set-cookie': `${name}=${value}; Max-Age=${seconds}; ${ATTRIBUTES}`,
  });
  return {
    read({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
      const prefix = `${name}=`;
      const found = headers.cookie?.split(/;\s*/).find((pair) => pair.startsWith(prefix));
      return found?.slice(prefix.length) || null;
    },
    set,
    clear: () => set('', 0),
  };
}
export type HostCookie = ReturnType<typeof hostCookie>;

export const MEMBER_COOKIE = hostCookie('__Host-navette-session');
export const STAFF_COOKIE = hostCookie('__Host-navette-console');
/** A staff member who views a merchant's dashboard, read only. */
export const VIEW_COOKIE = hostCookie('__Host-navette-view');
/** A sign-in that is under way at the identity provider. */
export const SIGN_IN_COOKIE = hostCookie('__Host-navette-sign-in');
