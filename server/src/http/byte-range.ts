export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}

/**
 * The part of a file that a Range header asks for. Null means the whole file: the header is malformed, has another unit, or
 * asks for several parts.
 */
export function readByteRange(header: string, size: number): ByteRange | 'unsatisfiable' | null {
  const [unit, ...list] = header.split('=');
  const ranges: ByteRange[] = [];
  for (const part of list.join('=').split(',')) {
    const [first = '', last = '', ...rest] = part.split('-').map((position) => position.trim());
    if (rest.length > 0 || !/^(\d+-\d*|-\d+)$/.test(`${first}-${last}`) || !part.includes('-')) return null;
    const start = first === '' ? size - Number(last) : Number(first);
    const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
    if (start >= 0 && start <= end) ranges.push({ start, end });
  }
  const [only, ...more] = ranges;
  if (!only) return 'unsatisfiable';
  return more.length === 0 && unit === 'bytes' ? only : null;
}
