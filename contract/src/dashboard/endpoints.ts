import type { EndpointAnswer, EndpointPart } from '../endpoint-shape.ts';
import { accountEndpoints } from './account.ts';
import { addressEndpoints } from './addresses.ts';
import type { DashboardEndpoint } from './endpoint.ts';
import { importEndpoints } from './imports.ts';
import { invoiceEndpoints } from './invoices.ts';
import { keyEndpoints } from './keys.ts';
import { messageSettingsEndpoints } from './message-settings.ts';
import { notificationEndpoints } from './notifications.ts';
import { overviewEndpoints } from './overview.ts';
import { passkeyEndpoints } from './passkeys.ts';
import { paymentEndpoints } from './payments.ts';
import { profileEndpoints } from './profile.ts';
import { recurringEndpoints } from './recurring.ts';
import { requestEndpoints } from './requests.ts';
import type { DashboardEndpointName } from './routes.ts';
import { savedViewEndpoints } from './saved-views.ts';
import { sessionEndpoints } from './session.ts';
import { shipmentEndpoints } from './shipments.ts';
import { shopPageEndpoints } from './shop-page.ts';
import { startEndpoints } from './start.ts';
import { teamEndpoints } from './team.ts';
import { webhookEndpoints } from './webhooks.ts';

const define = <const T extends Record<DashboardEndpointName, DashboardEndpoint>>(endpoints: T) => endpoints;

export const DASHBOARD_ENDPOINTS = define({
  ...sessionEndpoints,
  ...profileEndpoints,
  ...passkeyEndpoints,
  ...notificationEndpoints,
  ...teamEndpoints,
  ...shipmentEndpoints,
  ...savedViewEndpoints,
  ...addressEndpoints,
  ...importEndpoints,
  ...recurringEndpoints,
  ...accountEndpoints,
  ...shopPageEndpoints,
  ...messageSettingsEndpoints,
  ...invoiceEndpoints,
  ...paymentEndpoints,
  ...overviewEndpoints,
  ...keyEndpoints,
  ...webhookEndpoints,
  ...requestEndpoints,
  ...startEndpoints,
});

type Endpoints = typeof DASHBOARD_ENDPOINTS;

/** The schema of one part of a request, as a type; undefined where the endpoint has no such part. */
export type DashboardPart<
  N extends DashboardEndpointName,
  P extends 'params' | 'query' | 'headers' | 'body',
> = EndpointPart<Endpoints[N], P>;

/** The body of the endpoint's successful responses. */
export type DashboardAnswer<N extends DashboardEndpointName> = EndpointAnswer<Endpoints[N]>;
