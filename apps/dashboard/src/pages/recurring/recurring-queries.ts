import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const recurringListQuery = queryOptions({ queryKey: ['recurring'], queryFn: () => call('listRecurring') });

export const recurringQuery = (id: string) =>
  queryOptions({ queryKey: ['recurring', id], queryFn: () => call('readRecurring', { params: { id } }) });
