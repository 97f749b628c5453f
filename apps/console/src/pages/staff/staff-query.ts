import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const staffQuery = queryOptions({ queryKey: ['staff'], queryFn: () => call('listStaff') });
