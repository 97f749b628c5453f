import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Form } from '../../parts/form.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { type SecondFactorSetUp as SetUp, usePersonApi } from '../../session/person-api.ts';
import { ConfirmCode } from './confirm-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Three steps: confirm the password, scan the QR code, save the recovery codes. */
export function SecondFactorSetUp({ onDone }: { onDone: () => void }) {
  const [setUp, setSetUp] = useState<SetUp | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (setUp) return <ConfirmCode setUp={setUp} onConfirmed={setCodes} />;
  return <PasswordForm onStarted={setSetUp} />;
}

function PasswordForm({ onStarted }: { onStarted: (setUp: SetUp) => void }) {
  const { t } = useTranslation('profile');
  const { startSecondFactor } = usePersonApi();
  const form = useForm({ initialValues: { password: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (body) => onStarted(await startSecondFactor(body)));
  return (
    <Form onSubmit={onSubmit}>
      <Text size="sm">{t('secondFactor.passwordFirst')}</Text>
      <PasswordField label={t('password.current')} data-autofocus {...form.getInputProps('password')} />
      <FormError error={error} />
      <Button type="submit" loading={sending}>
        {t('secondFactor.next')}
      </Button>
    </Form>
  );
}
