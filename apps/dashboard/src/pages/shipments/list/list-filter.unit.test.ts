import { describe, expect, test } from 'vitest';
import { readListFilter, toQuery } from './list-filter.ts';

describe('the filter in the URL', () => {
  test('is read back unchanged from a shared URL', () => {
    const filter = {
      q: '2041',
      status: ['created', 'delivered'],
      from: '2026-11-01',
      group: 'A',
      kind: 'delivery',
    } as const;
    expect(readListFilter({ ...filter })).toEqual(filter);
  });

  test('invalid values are ignored, so that every URL shows a list', () => {
    const typed = { q: { a: 1 }, status: ['lost', 'created'], from: 'yesterday', to: 20261101, kind: 'both', x: 1 };
    expect(readListFilter(typed)).toEqual({ status: ['created'] });
    expect(readListFilter({ status: 'assigned', q: 2041 })).toEqual({ status: ['assigned'], q: '2041' });
  });

  test('the query contains only the filters that are set', () => {
    expect(toQuery({ q: '  ', group: ' ' })).toEqual({});
    expect(toQuery({ q: ' zoé ', status: ['created', 'assigned'], group: 'G', to: '2026-11-02' })).toEqual({
      search: 'zoé',
      status: 'created,assigned',
      groupReference: 'G',
      to: '2026-11-02',
    });
  });
});
