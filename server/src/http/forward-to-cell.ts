import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Claim, FindOtherCell } from '../cells/find-cell.ts';

/** Present on a request that another cell forwarded. It is answered here in any case. */
const FORWARDED = 'navette-forwarded';
const TIME_LIMIT_MS = 10_000;
const PASSED_ON = ['content-type', 'user-agent', 'accept-language', 'cookie', 'origin'];

/**
 * A router finds the cell of a request by its token. A sign-in has none: it reaches any cell, which passes it on to the one
 * where the person is known. The response is that of the other cell, so it does not show who is known where. When the
 * directory or the other cell cannot be reached, the error handler answers as it does when the database cannot.
 */
export function forwardToOtherCells(app: FastifyInstance, findOtherCell: FindOtherCell): void {
  app.addHook('onRoute', (route) => {
    const kind = kindOf(route.config ?? {});
    if (!kind || route.method !== 'POST') return;
    route.preHandler = [
      ...[route.preHandler ?? []].flat(),
      async (request: FastifyRequest, reply: FastifyReply) => {
        if (request.headers[FORWARDED] !== undefined) return;
        const address = await findOtherCell(kind, request.body as Claim);
        if (address) return forward(request, reply, address);
      },
    ];
  });
}

function kindOf({ dashboardEndpoint, consoleEndpoint, driverEndpoint }: FastifyContextConfig) {
  if (dashboardEndpoint?.needs === null) return 'member';
  if (consoleEndpoint?.needs === null) return 'staff';
  return driverEndpoint?.open ? 'driver' : null;
}

async function forward(request: FastifyRequest, reply: FastifyReply, address: string): Promise<FastifyReply> {
  const given = PASSED_ON.flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const response = await fetch(`${address}${request.url}`, {
    method: request.method,
    headers: { ...Object.fromEntries(given), 'x-forwarded-for': request.ip, [FORWARDED]: '1' },
    body: JSON.stringify(request.body),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIME_LIMIT_MS),
  });
  for (const name of ['content-type', 'retry-after']) {
    const value = response.headers.get(name);
    if (value !== null) reply.header(name, value);
  }
  reply.header('set-cookie', response.headers.getSetCookie());
  return reply.status(response.status).send(Buffer.from(await response.arrayBuffer()));
}
