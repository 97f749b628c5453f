import { sql } from 'kysely';

/**
 * The places of an open shipment `s`, as PostgreSQL points (longitude, latitude), and the conditions under which they are
 * stops. As the indexes shipments_open_pickups and shipments_open_drops write them, or these are not used.
 */
export const PICKUP_POINT = sql`point((s.pickup_address #>> '{location,coordinates,0}')::float8,
  (s.pickup_address #>> '{location,coordinates,1}')::float8)`;
export const DROP_POINT = sql`point((s.delivery_address #>> '{coordinates,longitude}')::float8,
  (s.delivery_address #>> '{coordinates,latitude}')::float8)`;
export const IS_OPEN_PICKUP = sql`s.status in ('programmed', 'created', 'assigned') and s.returned_at is null`;
export const IS_OPEN_DROP = sql`s.status in ('programmed', 'created', 'assigned', 'picked_up', 'in_transit')
  and s.returned_at is null`;
