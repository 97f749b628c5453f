import { TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { PasswordField } from '@navette/ui/parts/password-field.tsx';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../session/session.ts';

export const NO_PROOF = { password: '', code: '' };

/** Password and, if the member has a second factor, a code: asked for again before a sensitive action. */
export function ProofFields<Values extends typeof NO_PROOF>({ form }: { form: UseFormReturnType<Values> }) {
  const { t } = useTranslation('profile');
  const { secondFactor } = useSession().member;
  return (
    <>
      <PasswordField label={t('password.current')} {...form.getInputProps('password')} />
      {secondFactor && (
        <TextInput
          label={t('secondFactor.codeOrRecovery')}
          autoComplete="one-time-code"
          required
          maxLength={40}
          {...form.getInputProps('code')}
        />
      )}
    </>
  );
}

/** For the request: without a code where none was asked for. */
export const proofOf = ({ password, code }: typeof NO_PROOF) => (code ? { password, code } : { password });
