import { Anchor, Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { SessionAnswer } from '@navette/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { Form } from '../../shared/form.tsx';
import { FormError } from '../../shared/form-error.tsx';
import { useSubmit } from '../../shared/use-submit.ts';
import { GuestCard } from './guest-card.tsx';
import type { Credentials } from './password-step.tsx';

interface Props {
  credentials: Credentials;
  onEntered: (session: SessionAnswer) => Promise<void>;
  onBack: () => void;
}

/** The second step, for members with a second factor. The password is kept on this page only, until it is left. */
export function CodeStep({ credentials, onEntered, onBack }: Props) {
  const { t } = useTranslation('session');
  const form = useForm({ initialValues: { code: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async ({ code }) =>
    onEntered(await call('signIn', { body: { ...credentials, code } })),
  );
  return (
    <GuestCard title={t('secondFactor.title')} text={t('secondFactor.text')}>
      <Form onSubmit={onSubmit}>
        <TextInput
          label={t('secondFactor.code')}
          description={t('secondFactor.hint')}
          autoComplete="one-time-code"
          autoFocus
          required
          maxLength={40}
          {...form.getInputProps('code')}
        />
        <FormError error={error} />
        <Button type="submit" loading={sending}>
          {t('secondFactor.submit')}
        </Button>
        <Anchor component="button" type="button" size="sm" onClick={onBack}>
          {t('secondFactor.back')}
        </Anchor>
      </Form>
    </GuestCard>
  );
}
