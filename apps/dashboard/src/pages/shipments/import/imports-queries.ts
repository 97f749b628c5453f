import type { DashboardAnswer } from '@navette/contract';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';

export type Import = DashboardAnswer<'readImport'>['import'];

export const importsQuery = infiniteQueryOptions({
  queryKey: ['imports'],
  queryFn: ({ pageParam }) => call('listImports', { query: pageParam ? { cursor: pageParam } : {} }),
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
});

export const importQuery = (id: string) =>
  queryOptions({ queryKey: ['import', id], queryFn: () => call('readImport', { params: { id } }) });
