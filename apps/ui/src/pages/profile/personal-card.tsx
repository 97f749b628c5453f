import { Button, Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { changeLanguage } from '../../i18n/start-translations.ts';
import { LANGUAGES, type Language } from '../../language.ts';
import { Card } from '../../parts/card.tsx';
import { Form } from '../../parts/form.tsx';
import { FormError } from '../../parts/form-error.tsx';
import { useSubmit } from '../../parts/use-submit.ts';
import { usePersonApi } from '../../session/person-api.ts';

const CHOICES = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

export function PersonalCard() {
  const { t, i18n } = useTranslation('profile');
  const { t: tCommon } = useTranslation();
  const { usePerson, updateProfile } = usePersonApi();
  const person = usePerson();
  const form = useForm<{ name: string; language: Language }>({
    initialValues: { name: person.name, language: person.language },
  });
  const { onSubmit, sending, error } = useSubmit(form, async (body) => {
    await updateProfile(body);
    if (body.language !== i18n.language) await changeLanguage(body.language);
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
          value={person.email}
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
