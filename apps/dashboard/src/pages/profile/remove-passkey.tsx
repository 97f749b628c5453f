import { Button, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { Form } from '@navette/ui/parts/form.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useSubmit } from '@navette/ui/parts/use-submit.ts';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { NO_PROOF, ProofFields, proofOf } from './proof-fields.tsx';

export function RemovePasskey({ id, onDone }: { id: string; onDone: () => void }) {
  const { t } = useTranslation('profile');
  const form = useForm({ initialValues: NO_PROOF });
  const { onSubmit, sending, error } = useSubmit(form, async (proof) => {
    await call('removePasskey', { params: { id }, body: proofOf(proof) });
    await queryClient.invalidateQueries({ queryKey: ['passkeys'] });
    notifications.show({ color: 'green', message: t('passkeys.isRemoved') });
    onDone();
  });
  return (
    <Form onSubmit={onSubmit}>
      <Text size="sm">{t('passkeys.removeText')}</Text>
      <ProofFields form={form} />
      <FormError error={error} />
      <Button type="submit" color="red" loading={sending}>
        {t('passkeys.remove')}
      </Button>
    </Form>
  );
}
