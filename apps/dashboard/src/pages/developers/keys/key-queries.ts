import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';

export const keysQuery = queryOptions({ queryKey: ['keys'], queryFn: () => call('listKeys') });
