import { Button, Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { LANGUAGES, type Language } from '../../i18n/language.ts';
import { changeLanguage } from '../../i18n/start-translations.ts';
import { renewSession, useSession } from '../../session/session.ts';
import { Card } from '../../shared/card.tsx';
import { Form } from '../../shared/form.tsx';
import { FormError } from '../../shared/form-error.tsx';
import { useSubmit } from '../../shared/use-submit.ts';

const CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

export function PersonalCard() {
  const { t, i18n } = useTranslation('profile');
  const { t: tCommon } = useTranslation();
  const { member } = useSession();
  const form = useForm<{ name: string; language: Language }>({
    initialValues: { name: member.name, language: member.language },
  });
  const { onSubmit, sending, error } = useSubmit(form, async (body) => {
    await call('updateProfile', { body });
    if (body.language !== i18n.language) await changeLanguage(body.language);
    await renewSession();
    notifications.show({ color: 'green', message: i18n.t('saved') });
  });
  return (
    <Card title={t('personal.title')}>
      <Form onSubmit={onSubmit}>
        <TextInput
          label={t('personal.name')}
          autoComplete="name"
          required
          maxLength={100}
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('personal.email')}
          description={t('personal.emailHint')}
          value={member.email}
          readOnly
          variant="filled"
        />
        <Select
          label={t('personal.language')}
          description={t('personal.languageHint')}
          data={CHOICES}
          allowDeselect={false}
          {...form.getInputProps('language')}
        />
        <FormError error={error} />
        <Group>
          <Button type="submit" variant="default" loading={sending}>
            {tCommon('save')}
          </Button>
        </Group>
      </Form>
    </Card>
  );
}
