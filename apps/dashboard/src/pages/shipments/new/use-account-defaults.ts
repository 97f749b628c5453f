import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../../account/account-query.ts';
import type { ShipmentForm } from './use-shipment-form.ts';

/** The account's own slots and address; for a collection they say where the parcel is brought, until typed over. */
export function useAccountDefaults(form: ShipmentForm) {
  const { data } = useQuery(accountQuery);
  const account = data?.account;

  const setKind = (isCollection: boolean) => {
    form.setFieldValue('isCollection', isCollection);
    const untouched = Object.values(form.values.deliveryAddress).every((text) => text === '');
    if (!isCollection || !untouched || !account) return;
    const { street = '', postalCode = '', city = '' } = account.pickupAddress ?? {};
    const { name: recipientName, email } = account;
    form.setFieldValue('deliveryAddress', { recipientName, email, street, postalCode, city, phoneNumber: '' });
  };
  return { account, setKind };
}
