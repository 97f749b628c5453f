import { Alert, Button, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { ApiError } from '@navette/ui/api-error';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { orNull } from '@navette/ui/parts/amount.ts';
import { DayField } from '@navette/ui/parts/day-field.tsx';
import { EuroInput } from '@navette/ui/parts/euro-input.tsx';
import { Form } from '@navette/ui/parts/form.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { useSubmit } from '@navette/ui/parts/use-submit.ts';
import { When } from '@navette/ui/parts/when.tsx';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';

const TYPING_PAUSE_MS = 300;

/** Records one bank transfer after another: the day stays, the rest is emptied. */
export function RecordTransferForm() {
  const { t } = useTranslation('payments');
  const { money } = useFormat();
  const form = useForm({
    initialValues: { payer: '', amount: '' as number | string, bankId: '', receivedOn: '' },
  });
  const [payer] = useDebouncedValue(form.values.payer.trim(), TYPING_PAUSE_MS);
  const found = useQuery({
    queryKey: ['payer', payer],
    queryFn: async () => (await call('findPayer', { query: { payer } })).merchant,
    enabled: payer.length >= 8,
  });
  const { onSubmit, sending, error } = useSubmit(form, async ({ payer, amount, bankId, receivedOn }) => {
    const body = { payer: payer.trim(), amount: orNull(amount) ?? 0, bankId: bankId.trim(), receivedOn };
    const { payment } = await call('recordTransfer', { body });
    const facts = { amount: money(payment.amount), merchant: payment.merchant.name };
    notifications.show({
      color: payment.status === 'waiting' ? 'orange' : 'green',
      message: t(payment.status === 'waiting' ? 'record.waits' : 'record.done', facts),
    });
    form.setValues({ payer: '', amount: '', bankId: '', receivedOn });
    await queryClient.invalidateQueries();
  });
  return (
    <Form onSubmit={onSubmit}>
      <TextInput
        label={t('record.payer')}
        description={t('record.payerHint')}
        required
        data-autofocus
        maxLength={60}
        {...form.getInputProps('payer')}
      />
      {found.isSuccess && payer.length >= 8 && (
        <Text size="sm" role="status" {...(found.data ? {} : { c: 'red' })}>
          {found.data ? (
            <>
              <b>{found.data.name}</b> · {t('record.balance')} <Money euros={found.data.balance} />
            </>
          ) : (
            t('record.nobody')
          )}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <EuroInput label={t('amount')} required {...form.getInputProps('amount')} />
        <DayField
          label={t('record.receivedOn')}
          required
          value={form.values.receivedOn}
          onDay={(day) => form.setFieldValue('receivedOn', day)}
          error={form.errors.receivedOn}
        />
      </SimpleGrid>
      <TextInput
        label={t('record.bankId')}
        description={t('record.bankIdHint')}
        required
        maxLength={64}
        {...form.getInputProps('bankId')}
      />
      {error instanceof ApiError && error.slug === 'TRANSFER_KNOWN' ? (
        <Alert color="red" role="alert" title={t('record.known')}>
          {String(error.extra.merchant)}, <Money euros={Number(error.extra.amount)} />,{' '}
          <When at={String(error.extra.recordedAt)} />
        </Alert>
      ) : (
        <FormError error={error} />
      )}
      <Button type="submit" loading={sending}>
        {t('record.submit')}
      </Button>
    </Form>
  );
}
