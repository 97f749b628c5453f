import { Button, Modal, Radio, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { Role } from '@navette/contract';
import { ROLES } from '@navette/contract/dashboard-roles';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { LANGUAGES, type Language } from '@navette/ui/language';
import { EmailField } from '@navette/ui/parts/email-field.tsx';
import { Form } from '@navette/ui/parts/form.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useSubmit } from '@navette/ui/parts/use-submit.ts';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useSession } from '../../session/session.ts';
import { teamQuery } from './team-queries.ts';

const LANGUAGE_CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

export function InviteDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('team');
  const { t: tCommon } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('inviteTitle')}
      closeButtonProps={{ 'aria-label': tCommon('close') }}
    >
      <InviteForm onDone={onClose} />
    </Modal>
  );
}

function InviteForm({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('team');
  const { t: tLayout } = useTranslation('layout');
  const { language } = useSession().member;
  const form = useForm<{ email: string; role: Role; language: Language }>({
    initialValues: { email: '', role: 'operations', language },
  });
  const { onSubmit, sending, error } = useSubmit(form, async (body) => {
    await call('inviteMember', { body });
    notifications.show({ color: 'green', message: t('sent', { email: body.email }) });
    onDone();
    await queryClient.invalidateQueries({ queryKey: teamQuery.queryKey });
  });
  return (
    <Form onSubmit={onSubmit}>
      <Text size="sm">{t('inviteText')}</Text>
      <EmailField label={t('email')} autoComplete="off" required data-autofocus {...form.getInputProps('email')} />
      <Radio.Group label={t('role')} {...form.getInputProps('role')}>
        <Stack gap="xs" mt="xs">
          {ROLES.map((role) => (
            <Radio key={role} value={role} label={tLayout(`roles.${role}`)} description={t(`roleHints.${role}`)} />
          ))}
        </Stack>
      </Radio.Group>
      <Select label={t('language')} data={LANGUAGE_CHOICES} allowDeselect={false} {...form.getInputProps('language')} />
      <FormError error={error} />
      <Button type="submit" loading={sending}>
        {t('send')}
      </Button>
    </Form>
  );
}
