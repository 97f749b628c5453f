import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const accountQuery = queryOptions({ queryKey: ['account'], queryFn: () => call('readAccount') });
