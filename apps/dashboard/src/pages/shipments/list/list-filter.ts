import { SHIPMENT_STATUSES, type ShipmentStatus } from '@navette/contract/statuses';

/** The filter of the list, as kept in the URL, so that members can share a filtered list. */
export interface ListFilter {
  q?: string;
  status?: ShipmentStatus[];
  from?: string;
  to?: string;
  group?: string;
  kind?: 'delivery' | 'collection';
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

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
  return {
    ...(q && { q }),
    ...(status.length > 0 && { status }),
    ...(from && { from }),
    ...(to && { to }),
    ...(group && { group }),
    ...((kind === 'delivery' || kind === 'collection') && { kind }),
  };
}

/** The query of the API. */
export const toQuery = ({ q, status, group, ...rest }: ListFilter) => ({
  ...rest,
  ...(q?.trim() && { search: q.trim() }),
  ...(status && { status: status.join(',') }),
  ...(group?.trim() && { groupReference: group.trim() }),
});

/** Number of active filters, without the search, for the button on a phone. */
export const filtersUsed = ({ status, from, to, group, kind }: ListFilter): number =>
  [status?.length, from ?? to, group, kind].filter(Boolean).length;
