import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { SHORTEST_MEMBER_PASSWORD } from '@navette/contract/limits';
import { useTranslation } from 'react-i18next';

/** The current password. */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation('session');
  return (
    <PasswordInput
      autoComplete="current-password"
      maxLength={200}
      required
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
      {...props}
    />
  );
}

/** A new password, with its length rule. */
export function NewPasswordField(props: PasswordInputProps) {
  const { t } = useTranslation('session');
  return (
    <PasswordField
      autoComplete="new-password"
      minLength={SHORTEST_MEMBER_PASSWORD}
      description={t('passwordHint', { count: SHORTEST_MEMBER_PASSWORD })}
      {...props}
    />
  );
}
