import { Alert, Button, Group, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { BillingDetails as Details } from '@navette/contract';
import { useExplainError, useFieldErrors } from '@navette/ui/api/use-explain-error.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { IconAlertCircle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { billingDetailsQuery } from './account-query.ts';

/** The buyer on invoices. */
export function BillingDetails() {
  const { t } = useTranslation('account');
  const { data } = useQuery(billingDetailsQuery);
  return (
    <Card title={t('billing.title')}>
      <Text size="sm" c="dimmed" mb="md">
        {t('billing.text')}
      </Text>
      {data && <BillingForm details={data.details} />}
    </Card>
  );
}

const compact = (text: string) => text.replace(/\s/g, '').toUpperCase();
const orNull = (text: string) => text.trim() || null;

function BillingForm({ details }: { details: Details }) {
  const { t } = useTranslation('account');
  const cache = useQueryClient();
  const isAllowed = useMay()('own');
  const [explain, fieldErrors] = [useExplainError(), useFieldErrors()];
  const form = useForm({
    initialValues: {
      name: details.name ?? '',
      street: details.street ?? '',
      postalCode: details.postalCode ?? '',
      city: details.city ?? '',
      country: details.country,
      siren: details.siren ?? '',
      vatId: details.vatId ?? '',
      language: details.language,
    },
    validate: {
      country: (value) => (/^[A-Z]{2}$/.test(compact(value)) ? null : t('billing.wrongCountry')),
      siren: (value) => (/^(\d{9})?$/.test(compact(value)) ? null : t('billing.wrongSiren')),
      vatId: (value) => (/^([A-Z]{2}[A-Z0-9]{2,13})?$/.test(compact(value)) ? null : t('billing.wrongVatId')),
    },
  });
  const save = useMutation({
    mutationFn: (body: Details) => call('changeBillingDetails', { body }),
    onSuccess: (answer) => {
      cache.setQueryData(billingDetailsQuery.queryKey, answer);
      notifications.show({ message: t('billing.saved'), color: 'green' });
    },
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const field = (name: Exclude<keyof Details, 'language'>) => ({
    label: t(`billing.${name}`),
    disabled: !isAllowed,
    ...form.getInputProps(name),
  });
  return (
    <form
      onSubmit={form.onSubmit(({ name, street, postalCode, city, country, siren, vatId, language }) =>
        save.mutate({
          name: orNull(name),
          street: orNull(street),
          postalCode: orNull(postalCode),
          city: orNull(city),
          country: compact(country),
          siren: orNull(compact(siren)),
          vatId: orNull(compact(vatId)),
          language,
        }),
      )}
      noValidate
    >
      <Stack>
        {save.error && (
          <Alert color="red" icon={<IconAlertCircle />}>
            {explain(save.error)}
          </Alert>
        )}
        <TextInput {...field('name')} />
        <TextInput description={t('billing.streetHint')} {...field('street')} />
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <TextInput {...field('postalCode')} />
          <TextInput {...field('city')} />
          <TextInput {...field('country')} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, xs: 3 }}>
          <TextInput inputMode="numeric" {...field('siren')} />
          <TextInput {...field('vatId')} />
          <Select
            label={t('billing.language')}
            data={(['fr', 'en'] as const).map((value) => ({ value, label: t(`billing.languages.${value}`) }))}
            allowDeselect={false}
            disabled={!isAllowed}
            {...form.getInputProps('language')}
          />
        </SimpleGrid>
        {isAllowed ? (
          <Group>
            <Button type="submit" loading={save.isPending}>
              {t('billing.save')}
            </Button>
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            {t('billing.notAllowed')}
          </Text>
        )}
      </Stack>
    </form>
  );
}
