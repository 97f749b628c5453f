import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api-error.ts';
import { Form } from '../../parts/form.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { NewPasswordField } from '../../parts/password-field.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { usePersonApi } from '../../session/person-api.ts';
import { GuestCard } from './guest-card.tsx';
import { AskAgain, LinkGone, readLinkToken } from './link-gone.tsx';

export default function ResetPage() {
  const { t } = useTranslation('session');
  const { resetPassword } = usePersonApi();
  const navigate = useNavigate();
  const [token] = useState(readLinkToken);
  const form = useForm({ initialValues: { password: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async ({ password }) => {
    await resetPassword({ token, password });
    notifications.show({ color: 'green', message: t('reset.done') });
    await navigate({ to: '/sign-in' });
  });
  if (!token || (error instanceof ApiError && error.slug === 'LINK_GONE')) {
    return (
      <LinkGone>
        <AskAgain />
      </LinkGone>
    );
  }
  return (
    <GuestCard title={t('reset.title')} text={t('reset.text')}>
      <Form onSubmit={onSubmit}>
        <NewPasswordField label={t('reset.password')} autoFocus {...form.getInputProps('password')} />
        <FormError error={error} />
        <Button type="submit" loading={sending}>
          {t('reset.submit')}
        </Button>
      </Form>
    </GuestCard>
  );
}
