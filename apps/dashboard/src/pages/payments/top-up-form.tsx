import { Button, Group, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { type Amount, orNull } from '@navette/ui/parts/amount.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { EuroInput } from '@navette/ui/parts/euro-input.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../session/session.ts';
import { usePayOnline } from './use-pay-online.ts';

const SUGGESTED = [50, 100, 250, 500];

/** Asks for an amount and leads to the payment provider's page. */
export function TopUpForm({ limits: { minimum, maximum } }: { limits: { minimum: number; maximum: number } }) {
  const { t } = useTranslation('payments');
  const { money } = useFormat();
  const mayPay = useMay()('pay');
  const bounds = { minimum: money(minimum), maximum: money(maximum) };
  const form = useForm<{ amount: Amount }>({
    initialValues: { amount: Math.min(Math.max(100, minimum), maximum) },
    validate: {
      amount: (value) => {
        const euros = orNull(value) ?? 0;
        return euros >= minimum && euros <= maximum ? null : t('online.bounds', bounds);
      },
    },
  });
  const start = usePayOnline();
  const amount = orNull(form.values.amount) ?? 0;
  return (
    <Card title={t('online.title')}>
      <form noValidate onSubmit={form.onSubmit(() => start.mutate({ amount }))}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t('online.text')}
          </Text>
          <Group gap="xs">
            {SUGGESTED.filter((value) => value >= minimum && value <= maximum).map((value) => (
              <Button
                key={value}
                size="xs"
                variant={value === amount ? 'light' : 'default'}
                aria-pressed={value === amount}
                disabled={!mayPay}
                onClick={() => form.setFieldValue('amount', value)}
              >
                {money(value)}
              </Button>
            ))}
          </Group>
          <EuroInput
            label={t('online.amount')}
            description={t('online.bounds', bounds)}
            maw={260}
            disabled={!mayPay}
            {...form.getInputProps('amount')}
          />
          <FormError error={start.error} />
          {mayPay ? (
            <Group>
              <Button
                type="submit"
                loading={start.isLeaving}
                rightSection={<IconExternalLink size={16} stroke={1.6} />}
              >
                {amount > 0 ? t('online.pay', { amount: money(amount) }) : t('online.payNothing')}
              </Button>
            </Group>
          ) : (
            <Text size="sm" c="dimmed">
              {t('online.notAllowed')}
            </Text>
          )}
        </Stack>
      </form>
    </Card>
  );
}
