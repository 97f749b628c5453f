import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const YEAR_SECONDS = 31_536_000;

/**
 * Headers of every response. With an https PUBLIC_URL, HSTS is set for this host only: its subdomains may belong to
 * other services.
 */
export function commonHeaders(publicUrl: string): Record<string, string> {
  const isSecure = new URL(publicUrl).protocol === 'https:';
  return {
    'x-content-type-options': 'nosniff',
    ...(isSecure ? { 'strict-transport-security': `max-age=${YEAR_SECONDS}` } : {}),
  };
}

/** A content security policy: the given directives, plus those that apply to every page. */
export const contentPolicy = (...directives: string[]): string =>
  [...directives, "object-src 'none'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"].join('; ');

/** Placeholder that is replaced by the nonce when a page is sent. */
export const NONCE_MARK = '__CSP_NONCE__';

export const createNonce = (): string => randomBytes(16).toString('base64url');

const NOTHING = contentPolicy("default-src 'none'");

/** A page without a policy of its own gets the strictest one, so a new page must declare what it loads. */
export function protectPages(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isPage(reply.getHeader('content-type'))) {
      reply.header('referrer-policy', 'no-referrer');
      if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', NOTHING);
    }
    done();
  });
}

const isPage = (contentType: unknown): boolean => String(contentType).startsWith('text/html');
