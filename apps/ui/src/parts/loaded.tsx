import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  /** The same size as the content, to avoid layout shift. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/** The three states of a query: loading, failed, loaded. */
export function Loaded<T>({ query, skeleton, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <div aria-busy="true">{skeleton}</div>;
}
