import { Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { Card } from '@navette/ui/parts/card.tsx';
import { EmailField } from '@navette/ui/parts/email-field.tsx';
import { useTranslation } from 'react-i18next';
import type { Account } from './account-defaults.ts';
import { hintBelow, PlaceFields } from './form-sections.tsx';
import type { ShipmentForm } from './use-shipment-form.ts';

/** Pickup at the account's address, at another address, or at the customer's for a collection. */
export function PickupSection({ form, account }: { form: ShipmentForm; account: Account }) {
  const { t } = useTranslation('newShipment');
  const { isCollection, otherPickup } = form.values;
  if (isCollection) return <CustomerSection form={form} />;
  const own = account.pickupAddress;
  return (
    <Card title={t('pickup')}>
      <Stack gap="md">
        <Radio.Group
          aria-label={t('pickup')}
          value={otherPickup ? 'other' : 'account'}
          onChange={(chosen) => form.setFieldValue('otherPickup', chosen === 'other')}
        >
          <Stack gap="sm">
            <Radio
              value="account"
              label={t('pickupAccount')}
              description={own ? `${own.street}, ${own.postalCode} ${own.city}` : t('pickupUnknown')}
            />
            <Radio value="other" label={t('pickupOther')} />
          </Stack>
        </Radio.Group>
        {otherPickup && <PlaceFields form={form} under="pickupAddress" />}
      </Stack>
    </Card>
  );
}

function CustomerSection({ form }: { form: ShipmentForm }) {
  const { t } = useTranslation('newShipment');
  const contact = (name: string) => form.getInputProps(`collectionContact.${name}`);
  return (
    <Card title={t('customer')}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('customerHint')}
        </Text>
        <TextInput label={t('contactName')} {...contact('name')} />
        <PlaceFields form={form} under="pickupAddress" />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput label={t('contactPhone')} type="tel" withAsterisk {...contact('phoneNumber')} />
          <EmailField
            label={t('contactEmail')}
            {...hintBelow}
            description={t('contactHint')}
            withAsterisk
            {...contact('email')}
          />
        </SimpleGrid>
      </Stack>
    </Card>
  );
}
