import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../parts/form.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { usePersonApi } from '../../session/person-api.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

interface Props {
  action: 'remove' | 'renew';
  onDone: () => void;
}

/** Asks for password and second factor again before a sensitive action. */
export function ReauthenticationForm({ action, onDone }: Props) {
  const { t } = useTranslation('profile');
  const { removeSecondFactor, renewRecoveryCodes } = usePersonApi();
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = useForm({ initialValues: { password: '', code: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (body) => {
    if (action === 'renew') return setCodes(await renewRecoveryCodes(body));
    await removeSecondFactor(body);
    notifications.show({ color: 'green', message: t('secondFactor.removed') });
    onDone();
  });
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return (
    <Form onSubmit={onSubmit}>
      {action === 'renew' && <Text size="sm">{t('secondFactor.renewText')}</Text>}
      <PasswordField label={t('password.current')} data-autofocus {...form.getInputProps('password')} />
      <TextInput
        label={t('secondFactor.codeOrRecovery')}
        autoComplete="one-time-code"
        required
        maxLength={40}
        {...form.getInputProps('code')}
      />
      <FormError error={error} />
      <Button type="submit" {...(action === 'remove' ? { color: 'red' } : {})} loading={sending}>
        {action === 'remove' ? t('secondFactor.remove') : t('secondFactor.renew')}
      </Button>
    </Form>
  );
}
