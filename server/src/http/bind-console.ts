import {
  CONSOLE_BASE_PATH,
  CONSOLE_ENDPOINTS,
  type ConsoleEndpoint,
  type ConsoleEndpointName,
  consoleRoute,
} from '@navette/contract';
import type { FastifyInstance } from 'fastify';
import type { Answer } from './bind.ts';
import { bindWebEndpoint, type WebCall } from './bind-web-app.ts';
import type { SignedInStaff } from './staff-authentication.ts';

type Endpoints = typeof CONSOLE_ENDPOINTS;

export interface ConsoleCall<N extends ConsoleEndpointName> extends WebCall<Endpoints[N]> {
  /** The staff member who is signed in; null where the endpoint needs no session. */
  staff: Endpoints[N]['needs'] extends null ? null : SignedInStaff;
}

/** Serves an endpoint of the console by its name. Its schemas validate requests and whitelist responses. */
export function bindConsole<N extends ConsoleEndpointName>(
  app: FastifyInstance,
  name: N,
  handle: (call: ConsoleCall<N>) => Promise<Answer> | Answer,
): void {
  const endpoint: ConsoleEndpoint = CONSOLE_ENDPOINTS[name];
  const { method, path } = consoleRoute(name);
  const url = `${CONSOLE_BASE_PATH}${path}`;
  const config = { consoleEndpoint: endpoint };
  bindWebEndpoint<Endpoints[N], SignedInStaff>(
    app,
    { endpoint, method, url, config, personOf: ({ staff }) => staff },
    (staff, call) => handle({ ...call, staff: staff as ConsoleCall<N>['staff'] }),
  );
}
