import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const sessionsQuery = queryOptions({ queryKey: ['sessions'], queryFn: () => call('listSessions') });
