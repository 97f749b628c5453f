import { Button, Center } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../parts/form.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { AnchorLink } from '../../parts/links.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { usePersonApi } from '../../session/person-api.ts';
import { GuestCard } from './guest-card.tsx';
import { OwnEmailField } from './own-email-field.tsx';

export default function ForgottenPasswordPage() {
  const { t } = useTranslation('session');
  const { requestPasswordReset } = usePersonApi();
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({ initialValues: { email: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (body) => {
    await requestPasswordReset(body);
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
