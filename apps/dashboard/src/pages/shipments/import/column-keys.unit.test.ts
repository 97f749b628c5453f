import { describe, expect, test } from 'vitest';
import { withKeys } from './column-keys.ts';

describe('the columns of a file', () => {
  test('each have a unique key, even without a name or with a repeated one', () => {
    const unnamed = { header: '', field: null };
    const twice = { header: 'Ville', field: null };
    const columns = [unnamed, { header: 'Ville', field: 'deliveryAddress.city' as const }, unnamed, twice, twice];
    const keyed = withKeys(columns);
    expect(new Set(keyed.map(({ key }) => key)).size).toBe(columns.length);
    expect(keyed.map(({ header, field }) => ({ header, field }))).toEqual(columns);
  });
});
