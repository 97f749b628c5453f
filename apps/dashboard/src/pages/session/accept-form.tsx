import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import type { Language } from '../../i18n/language.ts';
import { enterSession } from '../../session/session.ts';
import { Form } from '../../shared/form.tsx';
import { FormError } from '../../shared/form-error.tsx';
import { NewPasswordField } from '../../shared/password-field.tsx';
import { useSubmit } from '../../shared/use-submit.ts';

/** Becomes a member, in the language that this page is read in. */
export function AcceptForm({ token, email }: { token: string; email: string }) {
  const { t, i18n } = useTranslation('session');
  const navigate = useNavigate();
  const form = useForm({ initialValues: { name: '', password: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (values) => {
    const language = i18n.language as Language;
    enterSession(await call('acceptInvitation', { body: { token, language, ...values } }));
    await navigate({ to: '/' });
  });
  return (
    <Form onSubmit={onSubmit}>
      <TextInput label={t('invitation.email')} value={email} readOnly variant="filled" autoComplete="username" />
      <TextInput
        label={t('invitation.name')}
        autoComplete="name"
        autoFocus
        required
        maxLength={100}
        {...form.getInputProps('name')}
      />
      <NewPasswordField label={t('invitation.password')} {...form.getInputProps('password')} />
      <FormError error={error} />
      <Button type="submit" loading={sending}>
        {t('invitation.submit')}
      </Button>
    </Form>
  );
}
