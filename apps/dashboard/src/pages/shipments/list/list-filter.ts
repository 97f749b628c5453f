import { SHIPMENT_STATUSES, type ShipmentStatus } from '@navette/contract/statuses';

/** What the list shows, as it stands in the address: a filtered list can be sent to a colleague. */
export interface ListFilter {
  q?: string;
  status?: ShipmentStatus[];
  from?: string;
  to?: string;
  group?: string;
  kind?: 'delivery' | 'collection';
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads an address that anybody may have typed: what makes no sense is left out. */
export function readListFilter(address: Record<string, unknown>): ListFilter {
  const text = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
  const day = (value: unknown) => (DAY.test(text(value)) ? text(value) : '');
  const asked = [address.status].flat();
  const q = text(address.q).slice(0, 100);
  const status = SHIPMENT_STATUSES.filter((known) => asked.includes(known));
  const [from, to] = [day(address.from), day(address.to)];
  const group = text(address.group).slice(0, 64);
  const { kind } = address;
  return {
    ...(q && { q }),
    ...(status.length > 0 && { status }),
    ...(from && { from }),
    ...(to && { to }),
    ...(group && { group }),
    ...((kind === 'delivery' || kind === 'collection') && { kind }),
  };
}

/** As the API wants it. */
export const asQuery = ({ q, status, group, ...rest }: ListFilter) => ({
  ...rest,
  ...(q?.trim() && { search: q.trim() }),
  ...(status && { status: status.join(',') }),
  ...(group?.trim() && { groupReference: group.trim() }),
});

/** Filters behind the button on a phone; the search has its own place. */
export const filtersUsed = ({ status, from, to, group, kind }: ListFilter): number =>
  [status?.length, from ?? to, group, kind].filter(Boolean).length;
