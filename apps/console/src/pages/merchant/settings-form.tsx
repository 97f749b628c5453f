import { Checkbox, NumberInput, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Merchant } from '@navette/contract';
import { useFieldErrors } from '@navette/ui/api/use-explain-error.ts';
import { EmailField } from '@navette/ui/parts/email-field.tsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReasonForm } from '../../acts/reason-form.tsx';
import { call } from '../../api/call.ts';
import { changedSettings, fieldOfPath, valuesOf } from './settings-values.ts';

/** Contract, pickup, slots and limits. Sends what was changed, with the version that was read when the form opened. */
export function SettingsForm({ merchant, onDone }: { merchant: Merchant; onDone: () => void }) {
  const { t } = useTranslation('merchant');
  const [read] = useState(merchant);
  const form = useForm({ initialValues: valuesOf(read) });
  const fieldErrors = useFieldErrors(fieldOfPath);
  const settings = changedSettings(valuesOf(read), form.values);
  const { id, name, version } = read;
  const limits = ['minute', 'hour', 'day'] as const;
  return (
    <ReasonForm
      lines={[t('edit.outcome', { name })]}
      submit={t('edit.submit')}
      done={t('edit.done', { name })}
      isDisabled={Object.keys(settings).length === 0}
      act={(reason) => call('updateMerchantSettings', { params: { id }, body: { version, reason, settings } })}
      onDone={onDone}
      onFail={(error) => form.setErrors(fieldErrors(error))}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t('edit.name')} required data-autofocus {...form.getInputProps('name')} />
        <EmailField label={t('edit.email')} required {...form.getInputProps('email')} />
        <TextInput label={t('settings.clientType')} {...form.getInputProps('clientType')} />
        <TextInput
          type="time"
          label={t('settings.pickupTime')}
          required={form.values.isSpecialRequest}
          {...form.getInputProps('agreedPickupTime')}
        />
      </SimpleGrid>
      <Checkbox label={t('edit.contractSigned')} {...form.getInputProps('contractSigned', { type: 'checkbox' })} />
      <Checkbox label={t('edit.specialRequest')} {...form.getInputProps('isSpecialRequest', { type: 'checkbox' })} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput label={t('edit.street')} {...form.getInputProps('street')} />
        <TextInput label={t('edit.postalCode')} {...form.getInputProps('postalCode')} />
        <TextInput label={t('edit.city')} {...form.getInputProps('city')} />
      </SimpleGrid>
      <TagsInput
        label={t('settings.slots')}
        description={t('edit.slotsHint')}
        splitChars={[';']}
        {...form.getInputProps('timeSlots')}
      />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {limits.map((limit) => (
          <NumberInput
            key={limit}
            label={t(`edit.limits.${limit}`)}
            min={0}
            hideControls
            required
            {...form.getInputProps(limit)}
          />
        ))}
        <NumberInput
          label={t('settings.sms')}
          description={t('edit.emptyHint')}
          min={0}
          hideControls
          {...form.getInputProps('smsPerDay')}
        />
        <NumberInput
          label={t('edit.retentionDays')}
          description={t('edit.emptyHint')}
          min={30}
          hideControls
          {...form.getInputProps('retentionDays')}
        />
      </SimpleGrid>
    </ReasonForm>
  );
}
