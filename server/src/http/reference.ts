import { buildOpenApi } from '@navette/contract';
import reference from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

/** The contract for machines at /openapi.json and for people at /docs, where requests can be tried with one's own key. */
export async function serveReference(app: FastifyInstance, publicUrl: string): Promise<void> {
  const document = JSON.stringify(buildOpenApi(publicUrl));
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('access-control-allow-origin', '*').send(document),
  );
  await app.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Navette API',
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
