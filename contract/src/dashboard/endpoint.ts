import type { EndpointShape } from '../endpoint-shape.ts';
import type { ErrorSlug } from '../errors.ts';
import type { DashboardErrorSlug } from './errors.ts';
import type { Need } from './roles.ts';
import type { DashboardEndpointName } from './routes.ts';

/** An endpoint of the dashboard. Its method and path are in routes.ts under the same name. */
export interface DashboardEndpoint extends EndpointShape {
  /** Slugs it may return, in addition to those of the session check. */
  refusals?: readonly (DashboardErrorSlug | ErrorSlug)[];
  /** The permission that the role must have; `self`: every member, for their own data; null: served without a session. */
  needs: Need | 'self' | null;
}

/** The endpoints of one section, with their names from routes.ts. */
export const defineEndpoints = <const T extends Partial<Record<DashboardEndpointName, DashboardEndpoint>>>(
  endpoints: T & Record<Exclude<keyof T, DashboardEndpointName>, never>,
): T => endpoints;
