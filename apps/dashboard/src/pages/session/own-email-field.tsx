import { TextInput, type TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** Who asks to be let in says first who they are: the field has the focus, and browsers fill it. */
export function OwnEmailField(props: TextInputProps) {
  const { t } = useTranslation('session');
  return (
    <TextInput
      label={t('signIn.email')}
      type="email"
      autoComplete="username"
      autoFocus
      required
      maxLength={254}
      {...props}
    />
  );
}
