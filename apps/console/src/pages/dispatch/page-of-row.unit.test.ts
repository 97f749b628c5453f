import { expect, test } from 'vitest';
import { pagesOfRows } from './page-of-row.ts';

test('rows are in the pages that their places fall into; empty pages between them contain none', () => {
  expect(pagesOfRows([3, 0, 3, 9], 2, 3)).toEqual({ first: 0, last: 2 });
  expect(pagesOfRows([3, 3, 3], 3, 5)).toEqual({ first: 1, last: 1 });
});

test('empty pages at the ends are on the screen with the rows beside them', () => {
  expect(pagesOfRows([0, 3, 3, 0], 0, 5)).toEqual({ first: 0, last: 3 });
  expect(pagesOfRows([0, 3, 3, 0], 1, 2)).toEqual({ first: 1, last: 1 });
});

test('an empty list has one page, and a row beyond the end is in the last', () => {
  expect(pagesOfRows([], 0, 0)).toEqual({ first: 0, last: 0 });
  expect(pagesOfRows([3, 3], 1, 99)).toEqual({ first: 0, last: 1 });
});
