import { QueryClient } from '@tanstack/react-query';
import { ApiError } from '../api-error.ts';

const FRESH_FOR_MS = 5_000; // moving back and forth between pages sends one request
const RETRIES = 2;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_FOR_MS,
      // Retries network failures and 5xx responses only: a 4xx response would be the same again.
      retry: (failures, error) => failures < RETRIES && !(error instanceof ApiError && error.status < 500),
    },
  },
});
