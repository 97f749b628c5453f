import { Button, Group } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { Card } from '../../parts/card.tsx';
import { Form } from '../../parts/form.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { NewPasswordField, PasswordField } from '../../parts/password-field.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { usePersonApi } from '../../session/person-api.ts';

export function PasswordCard() {
  const { t } = useTranslation('profile');
  const { changePassword } = usePersonApi();
  const form = useForm({ initialValues: { password: '', newPassword: '' } });
  const { onSubmit, sending, error } = useSubmit(form, async (body) => {
    await changePassword(body);
    form.reset();
    notifications.show({ color: 'green', message: t('password.done') });
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
