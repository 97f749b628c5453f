import { buildDashboardOpenApi, buildDriverOpenApi, buildOpenApi } from '@navette/contract';
import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

interface Reference {
  /** Where the contract is for machines, and where it is for people. */
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

/** Without a page to try it: its requests need the cookie and the token of a session. */
export function serveDashboardReference(app: FastifyInstance, publicUrl: string): void {
  serveDocument(app, '/dashboard/openapi.json', buildDashboardOpenApi(publicUrl));
}

function serveDocument(app: FastifyInstance, path: string, document: object): void {
  const text = JSON.stringify(document);
  app.get(path, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('access-control-allow-origin', '*').send(text),
  );
}

/** The contract for machines, and for people as a page where requests can be tried with one's own key. */
async function serveContract(app: FastifyInstance, { json, page, title, document }: Reference): Promise<void> {
  serveDocument(app, json, document);
  await app.register(reference, {
    routePrefix: page as `/${string}`,
    configuration: {
      url: json,
      pageTitle: title,
      withDefaultFonts: false, // nothing is loaded from elsewhere
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
      defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
    },
  });
}
