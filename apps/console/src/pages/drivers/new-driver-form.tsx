import { Button, Checkbox, Select, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { EmailField } from '@navette/ui/parts/email-field.tsx';
import { Form } from '@navette/ui/parts/form.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useSubmit } from '@navette/ui/parts/use-submit.ts';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Consequences } from '../../acts/consequences.tsx';
import { call } from '../../api/call.ts';

const WAYS = ['email', 'sms', 'none'] as const;

/** Creates a driver and sends the link with which they set their password. */
export function NewDriverForm() {
  const { t } = useTranslation('driver');
  const { t: tActs } = useTranslation('acts');
  const navigate = useNavigate();
  const form = useForm({
    initialValues: {
      ...{ firstName: '', lastName: '', email: '', phoneNumber: '', autoAccept: false },
      way: 'email' as (typeof WAYS)[number],
    },
  });
  const { onSubmit, sending, error } = useSubmit(form, async ({ way, ...values }) => {
    const { id } = await call('createDriver', { body: { ...values, inviteBy: way === 'none' ? null : way } });
    notifications.show({ color: 'green', message: t('create.done', { name: values.firstName }) });
    await queryClient.invalidateQueries({ queryKey: ['drivers'] });
    await navigate({ to: '/drivers/$id', params: { id } });
  });
  return (
    <Form onSubmit={onSubmit}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t('create.firstName')} required data-autofocus {...form.getInputProps('firstName')} />
        <TextInput label={t('create.lastName')} required {...form.getInputProps('lastName')} />
        <EmailField label={t('create.email')} autoComplete="off" required {...form.getInputProps('email')} />
        <TextInput type="tel" label={t('create.phone')} required {...form.getInputProps('phoneNumber')} />
      </SimpleGrid>
      <Select
        label={t('create.inviteBy')}
        data={WAYS.map((value) => ({ value, label: t(`create.ways.${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps('way')}
      />
      <Checkbox label={t('create.autoAccept')} {...form.getInputProps('autoAccept', { type: 'checkbox' })} />
      <Consequences lines={[t('create.outcome'), tActs('loggedName')]} />
      <FormError error={error} />
      <Button type="submit" loading={sending}>
        {t('create.submit')}
      </Button>
    </Form>
  );
}
