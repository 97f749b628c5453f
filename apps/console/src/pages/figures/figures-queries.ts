import type { FiguresBy } from '@navette/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import type { Period } from './periods.ts';

const REFRESH_MS = 60_000; // figures are counted every minute

export const figuresQuery = (period: Period) =>
  queryOptions({
    queryKey: ['figures', period],
    queryFn: () => call('readFigures', { query: period }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });

export const rowsQuery = (period: Period, by: FiguresBy) =>
  queryOptions({
    queryKey: ['figures', period, by],
    queryFn: async () => ({ by, ...(await call('listFigures', { query: { ...period, by } })) }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
