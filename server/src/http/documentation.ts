import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuseWithMessage } from '../refusals/refusal.ts';
import { chooseLanguage } from './choose-language.ts';
import { contentPolicy } from './response-headers.ts';
import { FOR_GOOD, NOT_BUILT, sendFile } from './web-app.ts';
import { type BuiltFile, TYPES } from './web-app-files.ts';

/** The build of site/. */
const FOLDER = new URL('../../../site/dist/', import.meta.url);
/** The address in the examples of docs/; readers see that of this installation, and can copy the commands as they are. */
const ADDRESS_MARK = 'https://api.example.org';
const DAY = 'public, max-age=86400';
const ALL_TYPES: Record<string, string> = {
  ...TYPES,
  '.html': 'text/html; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.php': 'text/plain; charset=utf-8',
};

/** Files of this host only, and no inline script or style at all. */
const POLICY = contentPolicy(
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
);

interface DocumentationOptions {
  publicUrl: string;
  folder?: URL;
}

/** Serves the documentation site at /docs, and the drivers' reference at /driver/docs. */
export function serveDocumentation(app: FastifyInstance, { publicUrl, folder = FOLDER }: DocumentationOptions): void {
  let site: Promise<Map<string, BuiltFile>> | undefined;
  async function load(): Promise<Map<string, BuiltFile>> {
    site ??= readSite(folder, publicUrl);
    const found = await site;
    if (found.size === 0) site = undefined; // the next request reads again: the build may have finished
    return found;
  }

  async function sendPage(request: FastifyRequest, reply: FastifyReply, name: string) {
    const files = await load();
    reply.headers({ 'content-security-policy': POLICY, 'cross-origin-opener-policy': 'same-origin' });
    if (files.size === 0)
      return reply
        .status(503)
        .type(ALL_TYPES['.html'] ?? '')
        .send(NOT_BUILT);
    const file = files.get(`${name}.html`);
    if (file) return sendFile(request, reply, file, 'no-cache');
    const missing = files.get(`${name.startsWith('fr/') ? 'fr' : 'en'}/404.html`);
    if (!missing) return refuseWithMessage(404, 'Page introuvable.');
    return sendFile(request, reply.status(404), missing, 'no-cache');
  }

  const toLanguage = (request: FastifyRequest, reply: FastifyReply) => {
    const language = chooseLanguage(undefined, request.headers['accept-language']);
    return reply.header('vary', 'accept-language').redirect(`/docs/${language}/`, 302);
  };
  app.get('/docs', toLanguage);
  app.get('/docs/*', (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
    const path = request.params['*'].replace(/\/$/, '');
    if (path === '') return toLanguage(request, reply);
    return sendPage(request, reply, /^(en|fr)$/.test(path) ? `${path}/index` : path);
  });
  app.get('/driver/docs', (request, reply) => sendPage(request, reply, 'driver'));
  app.get('/driver/docs/', (request, reply) => sendPage(request, reply, 'driver'));

  for (const [part, cacheControl] of [
    ['assets', FOR_GOOD], // the names contain a hash of the content
    ['files', DAY],
  ] as const) {
    app.get(`/docs/${part}/:name`, async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
      const file = (await load()).get(`${part}/${request.params.name}`);
      return file ? sendFile(request, reply, file, cacheControl) : refuseWithMessage(404, 'Fichier introuvable.');
    });
  }
}

/** All files of the build, by path, in memory and compressed; none when the site is not built. */
async function readSite(folder: URL, publicUrl: string): Promise<Map<string, BuiltFile>> {
  const files = new Map<string, BuiltFile>();
  let names: string[] = [];
  try {
    names = await readdir(folder, { recursive: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  for (const name of names) {
    const type = ALL_TYPES[extname(name)];
    if (!type) continue;
    const bytes = await readFile(new URL(name, folder));
    const plain = type.startsWith('text/html')
      ? Buffer.from(bytes.toString().replaceAll(ADDRESS_MARK, publicUrl))
      : bytes;
    files.set(name, { type, plain, ...(await compress(plain)) });
  }
  return files;
}

const FAST = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }; // about 2 ms per page

async function compress(bytes: Buffer): Promise<{ br: Buffer; gzip: Buffer }> {
  return { br: await promisify(brotliCompress)(bytes, FAST), gzip: await promisify(gzip)(bytes) };
}
