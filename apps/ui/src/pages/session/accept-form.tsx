import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import type { Language } from '../../language.ts';
import { Form } from '../../parts/form.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { NewPasswordField } from '../../parts/password-field.tsx';
import { useSubmit } from '../../parts/use-submit.ts';

export interface Acceptance {
  name: string;
  password: string;
  language: Language;
}

interface Props {
  email: string;
  /** Creates the person and opens their session. */
  onAccept: (acceptance: Acceptance) => Promise<unknown>;
}

/** Accepts an invitation, with the current language of the page. */
export function AcceptForm({ email, onAccept }: Props) {
  const { t, i18n } = useTranslation('session');
  const form = useForm({ initialValues: { name: '', password: '' } });
  const { onSubmit, sending, error } = useSubmit(form, (values) =>
    onAccept({ language: i18n.language as Language, ...values }),
  );
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
