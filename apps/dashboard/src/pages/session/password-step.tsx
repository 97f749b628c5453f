import { Button, Group, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SessionAnswer } from '@navette/contract';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Form } from '../../shared/form.tsx';
import { FormError } from '../../shared/form-error.tsx';
import { AnchorLink } from '../../shared/links.tsx';
import { PasswordField } from '../../shared/password-field.tsx';
import { useSubmit } from '../../shared/use-submit.ts';
import { GuestCard } from './guest-card.tsx';
import { OwnEmailField } from './own-email-field.tsx';

export type Credentials = Record<'email' | 'password', string>;

interface Props {
  onEntered: (session: SessionAnswer) => Promise<void>;
  onCodeNeeded: (credentials: Credentials) => void;
}

export function PasswordStep({ onEntered, onCodeNeeded }: Props) {
  const { t } = useTranslation('session');
  const form = useForm<Credentials>({ initialValues: { email: '', password: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (credentials) => {
    try {
      await onEntered(await call('signIn', { body: credentials }));
    } catch (refused) {
      if (!(refused instanceof ApiError && refused.slug === 'SECOND_FACTOR_REQUIRED')) throw refused;
      onCodeNeeded(credentials);
    }
  });
  return (
    <GuestCard title={t('signIn.title')}>
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
      <Text size="sm" c="dimmed">
        {t('signIn.firstTime')}
      </Text>
    </GuestCard>
  );
}
