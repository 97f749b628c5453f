import type { DashboardAnswer } from '@navette/contract';
import type { FormValues } from './form-values.ts';

export type Account = DashboardAnswer<'readAccount'>['account'];

/** The delivery address after a change of type. A collection is delivered to the account, unless something was typed. */
export function deliveryAddressFor(
  isCollection: boolean,
  typed: FormValues['deliveryAddress'],
  { name: recipientName, email, pickupAddress }: Pick<Account, 'name' | 'email' | 'pickupAddress'>,
): FormValues['deliveryAddress'] {
  const isEmpty = Object.values(typed).every((text) => text === '');
  if (!isCollection || !isEmpty) return typed;
  const { street = '', postalCode = '', city = '' } = pickupAddress ?? {};
  return { recipientName, email, street, postalCode, city, phoneNumber: '' };
}
