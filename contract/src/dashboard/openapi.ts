import { describeWebApi } from '../web-openapi.ts';
import { DASHBOARD_ENDPOINTS } from './endpoints.ts';
import { DASHBOARD_SLUGS } from './errors.ts';
import { CSRF_HEADER } from './roles.ts';
import { DASHBOARD_BASE_PATH, DASHBOARD_ROUTES } from './routes.ts';
import { SERVED_IN_VIEW } from './view-as.ts';

export const {
  routeOf: dashboardRoute,
  answersOf: dashboardAnswersOf,
  buildOpenApi: buildDashboardOpenApi,
} = describeWebApi({
  title: 'Navette dashboard API',
  description: `The API of the merchant’s dashboard: sessions of members, by cookie. Software uses the public API with a key. Every request except GET must send the session’s \`csrfToken\` as \`${CSRF_HEADER}\`.`,
  basePath: DASHBOARD_BASE_PATH,
  cookie: '__Host-navette-session',
  routes: DASHBOARD_ROUTES,
  endpoints: DASHBOARD_ENDPOINTS,
  slugs: DASHBOARD_SLUGS,
  sessionRefusals: (name) =>
    DASHBOARD_ENDPOINTS[name].needs === null || SERVED_IN_VIEW.has(name) ? [] : ['VIEW_IS_READ_ONLY'],
  notFound: 'Unknown, or another account’s: both cases give the same response.',
});
