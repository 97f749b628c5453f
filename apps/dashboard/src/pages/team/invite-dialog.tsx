import { Button, Modal, Radio, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { Role } from '@navette/contract';
import { ROLES } from '@navette/contract/dashboard-roles';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { queryClient } from '../../api/query-client.ts';
import { LANGUAGES, type Language } from '../../i18n/language.ts';
import { useSession } from '../../session/session.ts';
import { Form } from '../../shared/form.tsx';
import { FormError } from '../../shared/form-error.tsx';
import { useSubmit } from '../../shared/use-submit.ts';
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
      <TextInput
        label={t('email')}
        type="email"
        autoComplete="off"
        required
        maxLength={254}
        data-autofocus
        {...form.getInputProps('email')}
      />
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
