import type { EndpointShape } from '../endpoint-shape.ts';
import type { ErrorSlug } from '../errors.ts';
import type { DashboardErrorSlug } from './errors.ts';
import type { Need } from './roles.ts';
import type { DashboardEndpointName } from './routes.ts';

/** What the dashboard may ask. Method and path stand in routes.ts under the same name. */
export interface DashboardEndpoint extends EndpointShape {
  /** Slugs it may answer with, beside those of the door. */
  refusals?: readonly (DashboardErrorSlug | ErrorSlug)[];
  /** What the role must allow; `self` is for every member, about themselves; null is served without a session. */
  needs: Need | 'self' | null;
}

/** The endpoints of one subject, with the names that routes.ts gives them. */
export const defineEndpoints = <const T extends Partial<Record<DashboardEndpointName, DashboardEndpoint>>>(
  endpoints: T & Record<Exclude<keyof T, DashboardEndpointName>, never>,
): T => endpoints;
