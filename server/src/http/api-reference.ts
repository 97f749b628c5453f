import { buildConsoleOpenApi, buildDashboardOpenApi, buildDriverOpenApi, buildOpenApi } from '@navette/contract';
import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';
import { contentPolicy, createNonce, isPage, NONCE_MARK } from './response-headers.ts';

interface Reference {
  /** Paths of the OpenAPI document and of the page that shows it. */
  json: string;
  page: string;
  title: string;
  document: object;
}

export async function serveReference(app: FastifyInstance, publicUrl: string): Promise<void> {
  const document = buildOpenApi(publicUrl);
  await serveContract(app, { json: '/openapi.json', page: '/docs', title: 'Navette API', document });
}

export async function serveDriverReference(app: FastifyInstance, publicUrl: string): Promise<void> {
  const document = buildDriverOpenApi(publicUrl);
  const title = 'Navette driver API';
  await serveContract(app, { json: '/driver/openapi.json', page: '/driver/docs', title, document });
}

/** Document only: requests of the dashboard need a session's cookie and CSRF token, which a page could not send. */
export function serveDashboardReference(app: FastifyInstance, publicUrl: string): void {
  serveDocument(app, '/dashboard/openapi.json', buildDashboardOpenApi(publicUrl));
}

/** Document only, as for the dashboard. */
export function serveConsoleReference(app: FastifyInstance, publicUrl: string): void {
  serveDocument(app, '/console/openapi.json', buildConsoleOpenApi(publicUrl));
}

function serveDocument(app: FastifyInstance, path: string, document: object): void {
  const text = JSON.stringify(document);
  app.get(path, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('access-control-allow-origin', '*').send(text),
  );
}

/** Serves an OpenAPI document, and a page that shows it and sends test requests with the reader's own key. */
async function serveContract(app: FastifyInstance, { json, page, title, document }: Reference): Promise<void> {
  serveDocument(app, json, document);
  await app.register(async (pages) => {
    pages.addHook('onSend', async (_request, reply, payload) => {
      if (!isPage(reply.getHeader('content-type')) || typeof payload !== 'string') return payload;
      const nonce = createNonce();
      reply.header('content-security-policy', pagePolicy(nonce));
      return payload.replaceAll(NONCE_MARK, nonce);
    });
    await pages.register(reference, {
      routePrefix: page as `/${string}`,
      configuration: {
        url: json,
        pageTitle: title,
        nonce: NONCE_MARK,
        withDefaultFonts: false, // the page loads nothing from other hosts
        telemetry: false,
        agent: { disabled: true },
        mcp: { disabled: true },
        hideClientButton: true,
        showDeveloperTools: 'never',
        defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
      },
    });
  });
}

/**
 * Allows the page's own two scripts, from this host, and requests to this host only: an injected script would not run,
 * and could not send data elsewhere.
 */
const pagePolicy = (nonce: string) =>
  contentPolicy(
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'unsafe-inline'", // the page adds styles at run time, in tags without a nonce and in attributes
    "img-src 'self' data: blob:",
    'frame-src blob:', // shows a PDF response
    "font-src 'self' data:",
    "connect-src 'self'",
  );
