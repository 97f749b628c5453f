import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseWithMessage } from '../refusals/refusal.ts';
import { contentPolicy, createNonce, NONCE_MARK } from './response-headers.ts';
import { type BuiltApp, type BuiltFile, readBuiltApp } from './web-app-files.ts';

export interface WebAppOptions {
  /** URL path of the app, without a trailing slash. */
  path: string;
  /** Output folder of its build. */
  folder: URL;
  timeZone: string;
  /** Headers of its page at a path below the app's: the content policy, and the features of the phone that it may use. */
  headersFor: (nonce: string, path: string) => Record<string, string>;
  /** Has a service worker, whose scope is the path with a slash: the path without one leads there. */
  isInstallable?: true;
}

export const NOT_BUILT = `<!doctype html><html lang="fr"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Navette</title><body><h1>L’application n’est pas construite</h1><p>Lancez <code>npm run build</code>, puis rechargez cette page.</p>
<h2 lang="en">The app is not built</h2><p lang="en">Run <code>npm run build</code>, then reload this page.</p></body></html>`;

/**
 * Serves a built web app: assets by name, files of its root such as a service worker, and index.html for every other
 * path, since the app has its own router.
 */
export function serveWebApp(app: FastifyInstance, options: WebAppOptions): void {
  const { path, folder, timeZone, headersFor, isInstallable } = options;
  let built: Promise<BuiltApp | null> | undefined;
  async function load(): Promise<BuiltApp | null> {
    built ??= readBuiltApp(folder);
    const found = await built;
    if (!found) built = undefined; // the next request reads again: the build may have finished
    return found;
  }

  async function sendPage(request: FastifyRequest<{ Params: { '*'?: string } }>, reply: FastifyReply) {
    const found = await load();
    const file = found?.rootFiles.get(request.params['*'] ?? '');
    if (file) return sendFile(request, reply, file, 'no-cache');
    const nonce = createNonce();
    reply
      .type('text/html; charset=utf-8')
      .headers({ ...PAGE_HEADERS, ...headersFor(nonce, request.params['*'] ?? '') });
    if (!found) return reply.status(503).send(NOT_BUILT);
    return reply.send(found.page.replaceAll(NONCE_MARK, nonce).replace('__TIME_ZONE__', timeZone));
  }

  app.get(path, isInstallable ? (_request, reply) => reply.redirect(`${path}/`, 308) : sendPage);
  app.get(`${path}/*`, sendPage);
  app.get(`${path}/api/*`, () => refuseWithMessage(404, 'Route inconnue.'));
  app.get(`${path}/assets/:name`, async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
    const file = (await load())?.files.get(request.params.name);
    // The names contain a hash of the content, so browsers may cache them for good.
    return file ? sendFile(request, reply, file, FOR_GOOD) : refuseWithMessage(404, 'Fichier introuvable.');
  });
}

export const FOR_GOOD = 'public, max-age=31536000, immutable';

export function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile, cacheControl: string) {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find((name) => file[name] && new RegExp(`\\b${name}\\b`).test(accepted));
  reply.headers({ 'content-type': file.type, 'cache-control': cacheControl, vary: 'accept-encoding' });
  if (encoding) reply.header('content-encoding', encoding);
  return reply.send(encoding ? file[encoding] : file.plain);
}

const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'x-robots-tag': 'noindex, nofollow',
};

/** Allows this host's scripts and this page's style tags; forbids framing, indexing and the phone's sensors. */
export const dashboardHeaders = (nonce: string) => ({
  'content-security-policy': contentPolicy(
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "frame-src 'self' blob:",
  ),
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
});

/**
 * The console: as the dashboard. Its map may also load the operator's style, tiles and fonts from one origin. A page
 * keeps the policy with which it was loaded, so the app reloads when the map is opened or left.
 */
export const consoleHeaders = (mapStyleUrl: string | null) => (nonce: string, path: string) => {
  if (mapStyleUrl === null || path !== 'map') return dashboardHeaders(nonce);
  const { origin } = new URL(mapStyleUrl);
  return {
    ...dashboardHeaders(nonce),
    'content-security-policy': contentPolicy(
      "default-src 'self'",
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      `connect-src 'self' ${origin}`,
      `img-src 'self' data: blob: ${origin}`,
      "frame-src 'self' blob:",
    ),
  };
};

/**
 * The driver app: no style tags; camera, position and wake lock; a service worker. WebAssembly reads bar codes; the
 * source allows compiling it, not evaluating text as script. The page is stored on the phone, so it holds no nonce.
 */
export const driverAppHeaders = () => ({
  'content-security-policy': contentPolicy(
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "worker-src 'self'",
    "manifest-src 'self'",
  ),
  'permissions-policy': 'camera=(self), geolocation=(self), screen-wake-lock=(self), microphone=()',
});
