import { Anchor, Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { Form } from '../../parts/form.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { type Credentials, usePersonApi } from '../../session/person-api.ts';
import { GuestCard } from './guest-card.tsx';

interface Props {
  credentials: Credentials;
  onEntered: () => Promise<void>;
  onBack: () => void;
}

/** Second step of the sign-in, for people with a second factor. The password stays in the memory of this page. */
export function CodeStep({ credentials, onEntered, onBack }: Props) {
  const { t } = useTranslation('session');
  const form = useForm({ initialValues: { code: '' } });
  const { signIn } = usePersonApi();
  const { onSubmit, sending, error } = useSubmit(form, async ({ code }) => {
    await signIn({ ...credentials, code });
    await onEntered();
  });
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
