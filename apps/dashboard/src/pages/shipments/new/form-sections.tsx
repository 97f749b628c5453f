import { SimpleGrid, Textarea, TextInput, type TextInputProps } from '@mantine/core';
import type { AddressSuggestion } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { EmailField } from '@navette/ui/parts/email-field.tsx';
import { useTranslation } from 'react-i18next';
import { findSaved, suggestAddresses, suggestTowns } from '../../addresses/address-queries.ts';
import { SuggestInput } from '../../addresses/suggest-input.tsx';
import { addressForm } from './form-values.ts';
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
  return (
    <Card title={form.values.isCollection ? t('workshop') : t('recipient')}>
      <RecipientFields form={form} suggestsSaved />
    </Card>
  );
}

/** `suggestsSaved`: a name that is in the address book fills in everything. */
export function RecipientFields({ form, suggestsSaved }: Props & { suggestsSaved: boolean }) {
  const { t } = useTranslation('newShipment');
  const field = (name: string) => form.getInputProps(`deliveryAddress.${name}`);
  return (
    <SimpleGrid cols={1} spacing="md">
      {suggestsSaved ? (
        <SuggestInput
          label={t('name')}
          withAsterisk
          {...field('recipientName')}
          about="saved"
          ask={findSaved}
          shortest={2}
          present={({ recipientName, street, postalCode, city }) => ({
            title: recipientName,
            detail: `${street}, ${postalCode} ${city}`,
          })}
          onPick={(saved) => {
            const { deliveryAddress, kept } = addressForm(saved);
            form.setValues({ deliveryAddress, kept: { ...form.getValues().kept, ...kept } });
          }}
        />
      ) : (
        <TextInput label={t('name')} withAsterisk {...field('recipientName')} />
      )}
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
  );
}

export function PlaceFields({ form, under }: Props & { under: 'deliveryAddress' | 'pickupAddress' }) {
  const { t } = useTranslation('newShipment');
  const field = (name: string) => form.getInputProps(`${under}.${name}`);
  const take = ({ street, postalCode, city, coordinates }: AddressSuggestion) => {
    const place = { street: street ?? form.getValues()[under].street, postalCode, city };
    form.setFieldValue(under, { ...form.getValues()[under], ...place } as never);
    form.setFieldValue('kept', { ...form.getValues().kept, [under]: { ...place, coordinates } });
    for (const name of Object.keys(place)) form.clearFieldError(`${under}.${name}`);
  };
  const present = ({ street, postalCode, city }: AddressSuggestion) =>
    street ? { title: street, detail: `${postalCode} ${city}` } : { title: `${postalCode} ${city}`, detail: '' };
  const towns = { about: 'town', ask: suggestTowns, shortest: 2, present, onPick: take };
  return (
    <>
      <SuggestInput
        label={t('street')}
        withAsterisk
        {...field('street')}
        about="address"
        ask={suggestAddresses}
        shortest={4}
        present={present}
        onPick={take}
      />
      <SimpleGrid cols={TWO}>
        <SuggestInput
          label={t('postalCode')}
          inputMode="numeric"
          withAsterisk
          {...field('postalCode')}
          {...towns}
          shortest={3}
        />
        <SuggestInput label={t('city')} withAsterisk {...field('city')} {...towns} />
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
