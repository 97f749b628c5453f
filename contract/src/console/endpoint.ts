import type { EndpointShape } from '../endpoint-shape.ts';
import type { ErrorSlug } from '../errors.ts';
import type { ConsoleErrorSlug } from './errors.ts';
import type { StaffNeed } from './roles.ts';
import type { ConsoleEndpointName } from './routes.ts';

/** An endpoint of the console. Its method and path are in routes.ts under the same name. */
export interface ConsoleEndpoint extends EndpointShape {
  /** Slugs it may return, in addition to those of the session check. */
  refusals?: readonly (ConsoleErrorSlug | ErrorSlug)[];
  /** The permission that the role must have; `self`: everybody, for their own data; null: served without a session. */
  needs: StaffNeed | 'self' | null;
  /** Served also to staff who must set up their second factor first. */
  beforeSecondFactor?: true;
  /** Has a request limit of its own, so that panning over the map does not use up that of the other endpoints. */
  budget?: 'tiles';
}

/** The endpoints of one section, with their names from routes.ts. */
export const defineConsoleEndpoints = <const T extends Partial<Record<ConsoleEndpointName, ConsoleEndpoint>>>(
  endpoints: T & Record<Exclude<keyof T, ConsoleEndpointName>, never>,
): T => endpoints;
