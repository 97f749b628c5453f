import { buildConsoleOpenApi, buildDashboardOpenApi, buildDriverOpenApi, buildOpenApi } from '@navette/contract';
import type { FastifyInstance } from 'fastify';

/** The OpenAPI documents. The site at /docs and /driver/docs shows the first two (documentation.ts). */
export function serveReference(app: FastifyInstance, publicUrl: string): void {
  serveDocument(app, '/openapi.json', () => buildOpenApi(publicUrl));
}

export function serveDriverReference(app: FastifyInstance, publicUrl: string): void {
  serveDocument(app, '/driver/openapi.json', () => buildDriverOpenApi(publicUrl));
}

export function serveDashboardReference(app: FastifyInstance, publicUrl: string): void {
  serveDocument(app, '/dashboard/openapi.json', () => buildDashboardOpenApi(publicUrl));
}

export function serveConsoleReference(app: FastifyInstance, publicUrl: string): void {
  serveDocument(app, '/console/openapi.json', () => buildConsoleOpenApi(publicUrl));
}

function serveDocument(app: FastifyInstance, path: string, build: () => object): void {
  let text: string | undefined;
  app.get(path, async (_request, reply) => {
    text ??= JSON.stringify(build());
    return reply.type('application/json; charset=utf-8').header('access-control-allow-origin', '*').send(text);
  });
}
