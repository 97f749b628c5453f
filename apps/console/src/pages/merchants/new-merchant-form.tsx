import { Button, Checkbox, Select, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { PAYMENT_MODES } from '@navette/contract/statuses';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { orNull } from '@navette/ui/parts/amount.ts';
import { EmailField } from '@navette/ui/parts/email-field.tsx';
import { EuroInput } from '@navette/ui/parts/euro-input.tsx';
import { Form } from '@navette/ui/parts/form.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useSubmit } from '@navette/ui/parts/use-submit.ts';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Consequences } from '../../acts/consequences.tsx';
import { call } from '../../api/call.ts';
import { useSession } from '../../session/session.ts';
import { fieldOfPath } from '../merchant/settings-values.ts';

/** Creates a merchant and invites its first owner. The request's id makes a repetition harmless. */
export function NewMerchantForm() {
  const { t } = useTranslation('merchant');
  const { t: tActs } = useTranslation('acts');
  const navigate = useNavigate();
  const { language } = useSession().staff;
  const [requestId] = useState(() => crypto.randomUUID());
  const form = useForm({
    initialValues: {
      ...{ name: '', email: '', clientType: '', contractSigned: false, ownerEmail: '' },
      ...{ street: '', postalCode: '', city: '', timeSlots: [] as string[] },
      ...{ minimumPrice: '' as number | string, pricePerKg: '' as number | string },
      paymentMode: 'prepaid' as (typeof PAYMENT_MODES)[number],
    },
  });
  const { onSubmit, sending, error } = useSubmit(
    form,
    async (values) => {
      const { street, postalCode, city, ownerEmail, clientType, timeSlots, contractSigned, paymentMode } = values;
      const perKg = orNull(values.pricePerKg);
      const { id } = await call('createMerchant', {
        body: {
          ...{ requestId, name: values.name.trim(), email: values.email.trim(), contractSigned, paymentMode },
          minimumPrice: orNull(values.minimumPrice) ?? 0,
          ...(clientType.trim() ? { clientType: clientType.trim() } : {}),
          ...(perKg === null ? {} : { pricePerKg: perKg }),
          ...(street.trim() ? { pickupAddress: { street, postalCode, city } } : {}),
          ...(timeSlots.length > 0 ? { timeSlots } : {}),
          ...(ownerEmail.trim() ? { owner: { email: ownerEmail.trim(), language } } : {}),
        },
      });
      notifications.show({ color: 'green', message: t('create.done', { name: values.name }) });
      await queryClient.invalidateQueries({ queryKey: ['merchants'] });
      await navigate({ to: '/merchants/$id', params: { id } });
    },
    fieldOfPath,
  );
  const hasAddress = form.values.street.trim() !== '';
  return (
    <Form onSubmit={onSubmit}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t('edit.name')} required data-autofocus {...form.getInputProps('name')} />
        <EmailField label={t('edit.email')} autoComplete="off" required {...form.getInputProps('email')} />
        <TextInput label={t('settings.clientType')} {...form.getInputProps('clientType')} />
        <Select
          label={t('money.mode')}
          data={PAYMENT_MODES.map((value) => ({ value, label: t(`money.modes.${value}`) }))}
          allowDeselect={false}
          {...form.getInputProps('paymentMode')}
        />
        <EuroInput label={t('money.minimumPrice')} required {...form.getInputProps('minimumPrice')} />
        <EuroInput label={t('money.pricePerKg')} {...form.getInputProps('pricePerKg')} />
      </SimpleGrid>
      <Checkbox label={t('edit.contractSigned')} {...form.getInputProps('contractSigned', { type: 'checkbox' })} />
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <TextInput label={t('edit.street')} {...form.getInputProps('street')} />
        <TextInput label={t('edit.postalCode')} required={hasAddress} {...form.getInputProps('postalCode')} />
        <TextInput label={t('edit.city')} required={hasAddress} {...form.getInputProps('city')} />
      </SimpleGrid>
      <TagsInput
        label={t('settings.slots')}
        description={t('edit.slotsHint')}
        splitChars={[';']}
        {...form.getInputProps('timeSlots')}
      />
      <EmailField
        label={t('create.owner')}
        description={t('create.ownerHint')}
        autoComplete="off"
        {...form.getInputProps('ownerEmail')}
      />
      <Consequences lines={[t('create.outcome'), tActs('loggedName')]} />
      <FormError error={error} />
      <Button type="submit" loading={sending}>
        {t('create.submit')}
      </Button>
    </Form>
  );
}
