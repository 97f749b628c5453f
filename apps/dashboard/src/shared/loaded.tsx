import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';

interface Props<T> {
  query: UseQueryResult<T>;
  /** Of the size of what will be there, so that nothing jumps. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/** The three faces of what is asked from the server: on its way, failed, here. */
export function Loaded<T>({ query, skeleton, children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return <div aria-busy="true">{skeleton}</div>;
}
