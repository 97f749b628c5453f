import { Alert, Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { Form } from '@navette/ui/parts/form.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useSubmit } from '@navette/ui/parts/use-submit.ts';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { isCancelled } from '../../passkeys/passkey-support.ts';
import { NO_PROOF, ProofFields, proofOf } from './proof-fields.tsx';

/** Name and proof, then the browser's own dialog. */
export function AddPasskey({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('profile');
  const form = useForm({ initialValues: { name: '', ...NO_PROOF } });
  const { onSubmit, sending, error } = useSubmit(form, async ({ name, ...proof }) => {
    const [{ createPasskey }, started] = await Promise.all([
      import('../../passkeys/authenticator.ts'),
      call('startPasskey', { body: proofOf(proof) }),
    ]);
    await call('addPasskey', { body: { name: name.trim(), ...(await createPasskey(started)) } });
    await queryClient.invalidateQueries({ queryKey: ['passkeys'] });
    notifications.show({ color: 'green', message: t('passkeys.isAdded') });
    onDone();
  });
  return (
    <Form onSubmit={onSubmit}>
      <Text size="sm">{t('passkeys.addText')}</Text>
      <TextInput
        label={t('passkeys.name')}
        placeholder={t('passkeys.nameExample')}
        required
        maxLength={60}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <ProofFields form={form} />
      {isCancelled(error) ? <Alert color="gray">{t('passkeys.cancelled')}</Alert> : <FormError error={error} />}
      <Button type="submit" loading={sending}>
        {t('passkeys.continue')}
      </Button>
    </Form>
  );
}
