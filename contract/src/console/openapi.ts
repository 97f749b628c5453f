import { CSRF_HEADER } from '../dashboard/roles.ts';
import { describeWebApi } from '../web-openapi.ts';
import type { ConsoleEndpoint } from './endpoint.ts';
import { CONSOLE_ENDPOINTS } from './endpoints.ts';
import { CONSOLE_SLUGS } from './errors.ts';
import { CONSOLE_BASE_PATH, CONSOLE_ROUTES } from './routes.ts';

export const {
  routeOf: consoleRoute,
  answersOf: consoleAnswersOf,
  buildOpenApi: buildConsoleOpenApi,
} = describeWebApi({
  title: 'Navette console API',
  description: `The API of the operator’s console: sessions of staff, by cookie. Every request except GET must send the session’s \`csrfToken\` as \`${CSRF_HEADER}\`.`,
  basePath: CONSOLE_BASE_PATH,
  cookie: '__Host-navette-console',
  routes: CONSOLE_ROUTES,
  endpoints: CONSOLE_ENDPOINTS,
  slugs: CONSOLE_SLUGS,
  sessionRefusals: (name) => {
    const { needs, beforeSecondFactor }: ConsoleEndpoint = CONSOLE_ENDPOINTS[name];
    return needs && !beforeSecondFactor ? ['SECOND_FACTOR_MISSING'] : [];
  },
  notFound: 'Unknown.',
});
