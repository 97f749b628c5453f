import { SimpleGrid, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import { Card } from '@navette/ui/parts/card.tsx';
import { EmailField } from '@navette/ui/parts/email-field.tsx';
import { useTranslation } from 'react-i18next';
import type { ShipmentForm } from './use-shipment-form.ts';

interface Props {
  form: ShipmentForm;
}

const TWO = { base: 1, xs: 2 };
/** Puts hints below their inputs, so that inputs of one row align. */
export const hintBelow = {
  inputWrapperOrder: ['label', 'input', 'error', 'description'],
  descriptionProps: { mt: 5 },
} satisfies TextInputProps;

/** The recipient: a customer, or the merchant for a collection. */
export function RecipientSection({ form }: Props) {
  const { t } = useTranslation('newShipment');
  const field = (name: string) => form.getInputProps(`deliveryAddress.${name}`);
  return (
    <Card title={form.values.isCollection ? t('workshop') : t('recipient')}>
      <SimpleGrid cols={1} spacing="md">
        <TextInput label={t('name')} withAsterisk {...field('recipientName')} />
        <PlaceFields form={form} under="deliveryAddress" />
        <SimpleGrid cols={TWO}>
          <TextInput
            label={t('phone')}
            type="tel"
            {...hintBelow}
            description={t('phoneHint')}
            withAsterisk
            {...field('phoneNumber')}
          />
          <EmailField label={t('email')} {...hintBelow} description={t('emailHint')} withAsterisk {...field('email')} />
        </SimpleGrid>
      </SimpleGrid>
    </Card>
  );
}

export function PlaceFields({ form, under }: Props & { under: 'deliveryAddress' | 'pickupAddress' }) {
  const { t } = useTranslation('newShipment');
  const field = (name: string) => form.getInputProps(`${under}.${name}`);
  return (
    <>
      <TextInput label={t('street')} withAsterisk {...field('street')} />
      <SimpleGrid cols={TWO}>
        <TextInput label={t('postalCode')} inputMode="numeric" withAsterisk {...field('postalCode')} />
        <TextInput label={t('city')} withAsterisk {...field('city')} />
      </SimpleGrid>
    </>
  );
}

export function ParcelSection({ form }: Props) {
  const { t } = useTranslation('newShipment');
  return (
    <Card title={t('parcel')}>
      <SimpleGrid cols={TWO}>
        <TextInput
          label={t('weight')}
          inputMode="decimal"
          autoComplete="off"
          withAsterisk
          {...form.getInputProps('parcelDetails.weight')}
        />
        <TextInput
          label={t('nature')}
          placeholder={t('natureExample')}
          withAsterisk
          {...form.getInputProps('parcelDetails.nature')}
        />
      </SimpleGrid>
    </Card>
  );
}

export function ReferencesSection({ form }: Props) {
  const { t } = useTranslation('newShipment');
  return (
    <Card title={t('references')}>
      <SimpleGrid cols={1} spacing="md">
        <SimpleGrid cols={TWO}>
          <TextInput
            label={t('orderId')}
            {...hintBelow}
            description={t('orderIdHint')}
            {...form.getInputProps('externalReference.orderId')}
          />
          <TextInput
            label={t('group')}
            {...hintBelow}
            description={t('groupHint')}
            {...form.getInputProps('groupReference')}
          />
        </SimpleGrid>
        <Textarea
          label={t('notes')}
          placeholder={t('notesExample')}
          autosize
          minRows={2}
          maxLength={5_000}
          {...form.getInputProps('notes')}
        />
      </SimpleGrid>
    </Card>
  );
}
