import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';

const REFRESH_MS = 60_000;

export const notificationsQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: () => call('listNotifications'),
  refetchInterval: REFRESH_MS,
});
