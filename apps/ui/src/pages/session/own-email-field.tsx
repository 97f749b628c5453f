import type { TextInputProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { EmailField } from '../../parts/email-field.tsx';

/** The person's own address: focused first, and filled in by browsers. */
export function OwnEmailField(props: TextInputProps) {
  const { t } = useTranslation('session');
  return <EmailField label={t('signIn.email')} autoComplete="username" autoFocus required {...props} />;
}
