import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseWithMessage } from './refusal.ts';
import { type BuiltApp, type BuiltFile, readBuiltApp } from './web-app-files.ts';

export interface WebAppOptions {
  /** Where the app answers, without a slash at the end. */
  path: string;
  /** What its build left. */
  folder: URL;
  timeZone: string;
}

const NOT_BUILT = `<!doctype html><html lang="fr"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Navette</title><body><h1>Le tableau de bord n’est pas construit</h1><p>Lancez <code>npm run build</code>, puis rechargez cette page.</p>
<h2 lang="en">The dashboard is not built</h2><p lang="en">Run <code>npm run build</code>, then reload this page.</p></body></html>`;

/** A web app from its build: files by name, and the one page for every other address, since the app routes itself. */
export function serveWebApp(app: FastifyInstance, { path, folder, timeZone }: WebAppOptions): void {
  let built: Promise<BuiltApp | null> | undefined;
  async function load(): Promise<BuiltApp | null> {
    built ??= readBuiltApp(folder);
    const found = await built;
    if (!found) built = undefined; // the next request looks again: somebody is about to build it
    return found;
  }

  async function sendPage(_request: FastifyRequest, reply: FastifyReply) {
    const found = await load();
    const nonce = randomBytes(16).toString('base64url');
    reply.type('text/html; charset=utf-8').headers(pageHeaders(nonce));
    if (!found) return reply.status(503).send(NOT_BUILT);
    return reply.send(found.page.replaceAll('__CSP_NONCE__', nonce).replace('__TIME_ZONE__', timeZone));
  }

  app.get(path, sendPage);
  app.get(`${path}/*`, sendPage);
  app.get(`${path}/api/*`, () => refuseWithMessage(404, 'Route inconnue.'));
  app.get(`${path}/assets/:name`, async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const file = (await load())?.files.get(request.params.name);
    return file ? sendFile(request, reply, file) : refuseWithMessage(404, 'Fichier introuvable.');
  });
}

/** The name of a file changes with its content, so a browser asks once. */
function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile) {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find((name) => file[name] && new RegExp(`\\b${name}\\b`).test(accepted));
  reply.headers({
    'content-type': file.type,
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  });
  if (encoding) reply.header('content-encoding', encoding);
  return reply.send(encoding ? file[encoding] : file.plain);
}

/** Only this host's scripts run, only this page's style tags count, nobody frames it, and no other site hears of it. */
const pageHeaders = (nonce: string) => ({
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "frame-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
});
