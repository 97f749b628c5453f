import { Button, Group, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api-error.ts';
import { Form } from '../../parts/form.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { AnchorLink } from '../../parts/links.tsx';
import { PasswordField } from '../../parts/password-field.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { type Credentials, usePersonApi } from '../../session/person-api.ts';
import { GuestCard } from './guest-card.tsx';
import { OwnEmailField } from './own-email-field.tsx';

interface Props {
  onEntered: () => Promise<void>;
  onCodeNeeded: (credentials: Credentials) => void;
  /** Other ways to sign in. */
  above?: ReactNode;
  below?: ReactNode;
  /** For people without access. */
  note: string;
}

export function PasswordStep({ onEntered, onCodeNeeded, above, below, note }: Props) {
  const { t } = useTranslation('session');
  const { signIn } = usePersonApi();
  const form = useForm<Credentials>({ initialValues: { email: '', password: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (credentials) => {
    try {
      await signIn(credentials);
      await onEntered();
    } catch (refused) {
      if (!(refused instanceof ApiError && refused.slug === 'SECOND_FACTOR_REQUIRED')) throw refused;
      onCodeNeeded(credentials);
    }
  });
  return (
    <GuestCard title={t('signIn.title')}>
      {above}
      <Form onSubmit={onSubmit}>
        <OwnEmailField {...form.getInputProps('email')} />
        <PasswordField label={t('signIn.password')} {...form.getInputProps('password')} />
        <FormError error={error} />
        <Button type="submit" loading={sending}>
          {t('signIn.submit')}
        </Button>
        <Group justify="center">
          <AnchorLink to="/forgotten-password" size="sm">
            {t('signIn.forgotten')}
          </AnchorLink>
        </Group>
      </Form>
      {below}
      <Text size="sm" c="dimmed">
        {note}
      </Text>
    </GuestCard>
  );
}
