/** The page that contains a row, given the number of rows of each page. */
function pageOfRow(counts: readonly number[], row: number): number {
  let before = 0;
  for (const [page, count] of counts.entries()) {
    before += count;
    if (row < before) return page;
  }
  return Math.max(0, counts.length - 1);
}

/**
 * The pages of the rows on the screen. At both ends of the list, empty pages belong to it as well: new rows may appear in
 * their ranges.
 */
export function pagesOfRows(counts: readonly number[], firstRow: number, lastRow: number) {
  const rows = counts.reduce((sum, count) => sum + count, 0);
  return {
    first: firstRow === 0 ? 0 : pageOfRow(counts, firstRow),
    last: lastRow >= rows - 1 ? Math.max(0, counts.length - 1) : pageOfRow(counts, lastRow),
  };
}
