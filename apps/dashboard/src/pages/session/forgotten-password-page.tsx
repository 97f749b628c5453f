import { Button, Center } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { Form } from '../../shared/form.tsx';
import { FormError } from '../../shared/form-error.tsx';
import { AnchorLink } from '../../shared/links.tsx';
import { useSubmit } from '../../shared/use-submit.ts';
import { GuestCard } from './guest-card.tsx';
import { OwnEmailField } from './own-email-field.tsx';

export default function ForgottenPasswordPage() {
  const { t } = useTranslation('session');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({ initialValues: { email: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (body) => {
    await call('requestPasswordReset', { body });
    setSentTo(body.email);
  });
  const back = (
    <AnchorLink to="/sign-in" size="sm">
      {t('forgotten.back')}
    </AnchorLink>
  );
  if (sentTo !== null) {
    return (
      <GuestCard title={t('forgotten.sentTitle')} text={t('forgotten.sentText', { email: sentTo })}>
        {back}
      </GuestCard>
    );
  }
  return (
    <GuestCard title={t('forgotten.title')} text={t('forgotten.text')}>
      <Form onSubmit={onSubmit}>
        <OwnEmailField {...form.getInputProps('email')} />
        <FormError error={error} />
        <Button type="submit" loading={sending}>
          {t('forgotten.submit')}
        </Button>
        <Center>{back}</Center>
      </Form>
    </GuestCard>
  );
}
