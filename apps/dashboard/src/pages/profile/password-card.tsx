import { Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { renewSession } from '../../session/session.ts';
import { Card } from '../../shared/card.tsx';
import { Form } from '../../shared/form.tsx';
import { FormError } from '../../shared/form-error.tsx';
import { NewPasswordField, PasswordField } from '../../shared/password-field.tsx';
import { useSubmit } from '../../shared/use-submit.ts';
import { sessionsQuery } from './sessions-query.ts';

export function PasswordCard() {
  const { t } = useTranslation('profile');
  const form = useForm({ initialValues: { password: '', newPassword: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (body) => {
    await call('changePassword', { body });
    await renewSession();
    form.reset();
    notifications.show({ color: 'green', message: t('password.done') });
    await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  });
  return (
    <Card title={t('password.title')} text={t('password.text')}>
      <Form onSubmit={onSubmit}>
        <PasswordField label={t('password.current')} {...form.getInputProps('password')} />
        <NewPasswordField label={t('password.next')} {...form.getInputProps('newPassword')} />
        <FormError error={error} />
        <Group>
          <Button type="submit" variant="default" loading={sending}>
            {t('password.submit')}
          </Button>
        </Group>
      </Form>
    </Card>
  );
}
