import { describe, expect, test } from 'vitest';
import { asQuery, readListFilter } from './list-filter.ts';

describe('the filter in the address', () => {
  test('what a colleague sent reads back as it was', () => {
    const filter = {
      q: '2041',
      status: ['created', 'delivered'],
      from: '2026-11-01',
      group: 'A',
      kind: 'delivery',
    } as const;
    expect(readListFilter({ ...filter })).toEqual(filter);
  });

  test('what makes no sense is left out, so that every address shows a list', () => {
    const typed = { q: { a: 1 }, status: ['lost', 'created'], from: 'yesterday', to: 20261101, kind: 'both', x: 1 };
    expect(readListFilter(typed)).toEqual({ status: ['created'] });
    expect(readListFilter({ status: 'assigned', q: 2041 })).toEqual({ status: ['assigned'], q: '2041' });
  });

  test('the API is asked for nothing that was not asked', () => {
    expect(asQuery({ q: '  ', group: ' ' })).toEqual({});
    expect(asQuery({ q: ' zoé ', status: ['created', 'assigned'], group: 'G', to: '2026-11-02' })).toEqual({
      search: 'zoé',
      status: 'created,assigned',
      groupReference: 'G',
      to: '2026-11-02',
    });
  });
});
