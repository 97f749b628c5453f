import type { ShipmentFilters, ShipmentOrder } from '@navette/contract';
import { SHIPMENT_STATUSES, type ShipmentStatus } from '@navette/contract/statuses';

/** The filter of the list, as kept in the URL, so that members can share a filtered list. */
export interface ListFilter {
  q?: string;
  status?: ShipmentStatus[];
  from?: string;
  to?: string;
  group?: string;
  kind?: 'delivery' | 'collection';
  /** The promised day of delivery: `today`, `tomorrow` or a date. */
  delivery?: string;
  late?: 'yes';
  order?: Exclude<ShipmentOrder, 'newest'>;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const ORDERS = ['oldest', 'earliest_delivery', 'latest_delivery'] as const satisfies ShipmentOrder[];

/** Reads the filter from the URL. Ignores invalid values, since a URL may be typed by hand. */
export function readListFilter(search: Record<string, unknown>): ListFilter {
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
  const day = (value: unknown) => (DAY.test(text(value)) ? text(value) : '');
  const statuses = [search.status].flat();
  const q = text(search.q).slice(0, 100);
  const status = SHIPMENT_STATUSES.filter((known) => statuses.includes(known));
  const [from, to] = [day(search.from), day(search.to)];
  const group = text(search.group).slice(0, 64);
  const { kind } = search;
  const delivery =
    search.delivery === 'today' || search.delivery === 'tomorrow' ? search.delivery : day(search.delivery);
  const order = ORDERS.find((known) => known === search.order);
  return {
    ...(q && { q }),
    ...(status.length > 0 && { status }),
    ...(from && { from }),
    ...(to && { to }),
    ...(group && { group }),
    ...((kind === 'delivery' || kind === 'collection') && { kind }),
    ...(delivery && { delivery }),
    ...(search.late === 'yes' && { late: 'yes' }),
    ...(order && { order }),
  };
}

/** The filter of a query of the API, as a saved view has it. */
export const fromQuery = ({
  search,
  status,
  groupReference,
  ...rest
}: Partial<Record<keyof ShipmentFilters, string>>): ListFilter =>
  readListFilter({ ...rest, q: search, status: status?.split(','), group: groupReference });

/** The query of the API. */
export const toQuery = ({ q, status, group, ...rest }: ListFilter) => ({
  ...rest,
  ...(q?.trim() && { search: q.trim() }),
  ...(status && { status: status.join(',') }),
  ...(group?.trim() && { groupReference: group.trim() }),
});

/** The order of the list; null in a search or a group, which have their own. */
export function orderOf({ q, group, delivery, late, order }: ListFilter): ShipmentOrder | null {
  if (q?.trim() || group?.trim()) return null;
  if (!delivery && !late) return order ?? 'newest';
  return order === 'latest_delivery' ? order : 'earliest_delivery';
}

/** Number of active filters, without the search, for the button on a phone. */
export const filtersUsed = ({ status, from, to, group, kind, delivery, late }: ListFilter): number =>
  [status?.length, from ?? to, group, kind, delivery, late].filter(Boolean).length;
