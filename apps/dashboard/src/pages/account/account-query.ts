import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

export const shopPageQuery = queryOptions({ queryKey: ['shop-page'], queryFn: () => call('readShopPage') });
export const accountQuery = queryOptions({ queryKey: ['account'], queryFn: () => call('readAccount') });

export const billingDetailsQuery = queryOptions({
  queryKey: ['billing-details'],
  queryFn: () => call('readBillingDetails'),
});
