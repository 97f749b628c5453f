import type { DashboardAnswer } from '@navette/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export type SavedAddress = DashboardAnswer<'saveAddress'>['address'];

export const addressesQuery = (search: string) =>
  queryOptions({
    queryKey: ['addresses', search],
    queryFn: () => call('listAddresses', { query: search ? { search } : {} }),
    placeholderData: (before) => before,
  });

export const findSaved = async (search: string): Promise<SavedAddress[]> =>
  (await call('listAddresses', { query: { search, limit: 6 } })).addresses;

export const suggestAddresses = async (text: string) =>
  (await call('suggestAddresses', { query: { text, kind: 'address' } })).suggestions;

export const suggestTowns = async (text: string) =>
  (await call('suggestAddresses', { query: { text, kind: 'town' } })).suggestions;
