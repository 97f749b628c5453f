import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { renewSession } from '../../session/session.ts';
import { Form } from '../../shared/form.tsx';
import { FormError } from '../../shared/form-error.tsx';
import { PasswordField } from '../../shared/password-field.tsx';
import { useSubmit } from '../../shared/use-submit.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

interface Props {
  wanted: 'remove' | 'renew';
  onDone: () => void;
}

/** Both factors once more, for what must not be done by whoever finds an open laptop. */
export function ProofForm({ wanted, onDone }: Props) {
  const { t } = useTranslation('profile');
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = useForm({ initialValues: { password: '', code: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (body) => {
    if (wanted === 'renew') return setCodes((await call('renewRecoveryCodes', { body })).recoveryCodes);
    await call('removeSecondFactor', { body });
    await renewSession();
    notifications.show({ color: 'green', message: t('secondFactor.removed') });
    onDone();
  });
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return (
    <Form onSubmit={onSubmit}>
      {wanted === 'renew' && <Text size="sm">{t('secondFactor.renewText')}</Text>}
      <PasswordField label={t('password.current')} data-autofocus {...form.getInputProps('password')} />
      <TextInput
        label={t('secondFactor.codeOrRecovery')}
        autoComplete="one-time-code"
        required
        maxLength={40}
        {...form.getInputProps('code')}
      />
      <FormError error={error} />
      <Button type="submit" {...(wanted === 'remove' ? { color: 'red' } : {})} loading={sending}>
        {wanted === 'remove' ? t('secondFactor.remove') : t('secondFactor.renew')}
      </Button>
    </Form>
  );
}
