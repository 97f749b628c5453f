import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { DashboardAnswer } from '@navette/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { Form } from '../../shared/form.tsx';
import { FormError } from '../../shared/form-error.tsx';
import { PasswordField } from '../../shared/password-field.tsx';
import { useSubmit } from '../../shared/use-submit.ts';
import { ConfirmCode } from './confirm-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/** Password, then the code to scan, then the codes to keep. */
export function SecondFactorSetUp({ onDone }: { onDone: () => void }) {
  const [setUp, setSetUp] = useState<DashboardAnswer<'startSecondFactor'> | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (setUp) return <ConfirmCode setUp={setUp} onConfirmed={setCodes} />;
  return <AskPassword onStarted={setSetUp} />;
}

function AskPassword({ onStarted }: { onStarted: (setUp: DashboardAnswer<'startSecondFactor'>) => void }) {
  const { t } = useTranslation('profile');
  const form = useForm({ initialValues: { password: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (body) =>
    onStarted(await call('startSecondFactor', { body })),
  );
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
