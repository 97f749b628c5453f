import fc from 'fast-check';
import { fittingFor } from './hostile-requests.ts';
import type { Operation } from './operations.ts';

/** Bodies that follow the operation's schema: the same ones for the same seed. */
export function fittingBodies({ body, bodies }: Operation, count: number, seed = 1): Record<string, unknown>[] {
  if (!body) return Array.from({ length: count }, () => ({}));
  return fc.sample(fittingFor(body, bodies), { seed, numRuns: count }) as Record<string, unknown>[];
}

/** The operation's path, with this value in place of each parameter. */
export const pathWith = ({ path }: Operation, value: string): string =>
  path.replaceAll(/\{\w+\}/g, encodeURIComponent(value));

/** Copies of a value, each with one of its texts replaced. */
export function withEachTextReplaced(value: unknown, replacement: unknown): unknown[] {
  if (typeof value === 'string') return [replacement];
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => withEachTextReplaced(item, replacement).map((copy) => value.with(i, copy)));
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    withEachTextReplaced(inner, replacement).map((copy) => ({ ...value, [name]: copy })),
  );
}
