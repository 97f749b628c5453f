import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

const VERSION_HASH = /(?<=navette-driver-)[0-9a-f]{12}/g; // of the service worker's cache
const OWN_HEADERS = ['host', 'connection', 'content-length', 'content-encoding', 'transfer-encoding', 'keep-alive'];

/**
 * A proxy in front of a server that releases new versions of the app: the service worker and its page differ, the rest is
 * the same. The page has its version in a meta element.
 */
export async function startVersions(upstream: string) {
  let version = 1;
  const server = createServer((request, response) => void pass(request, response));

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const headers = without(request.headers as Record<string, string>);
    const method = request.method ?? 'GET';
    const body = method === 'GET' ? null : await buffer(request);
    try {
      const answer = await fetch(`${upstream}${request.url}`, { method, headers, body, redirect: 'manual' });
      const content = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, without(Object.fromEntries(answer.headers)));
      response.end(changed(request.url ?? '', answer.headers.get('content-type') ?? '', content));
    } catch {
      response.destroy(); // the server has stopped, or the browser has gone
    }
  }

  function changed(path: string, type: string, content: Buffer): Buffer | string {
    if (path === '/driver/service-worker.js') {
      return content.toString().replaceAll(VERSION_HASH, `${version}`.padStart(12, '0'));
    }
    if (!type.startsWith('text/html')) return content;
    return content.toString().replace('<head>', `<head><meta name="test-version" content="${version}">`);
  }

  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    release: () => version++,
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export type Versions = Awaited<ReturnType<typeof startVersions>>;

const without = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.includes(name)));
