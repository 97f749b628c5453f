import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import type { Payments } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { type Amount, orNull } from '@navette/ui/parts/amount.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { EuroInput } from '@navette/ui/parts/euro-input.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { paymentsQuery } from './payment-queries.ts';
import { usePayOnline } from './use-pay-online.ts';

interface Props {
  limits: NonNullable<Payments['online']>;
  automatic: Payments['automatic'];
}

/** Payments that are taken by themselves below a balance. The first one, on Stripe's page, stores card or account there. */
export function AutomaticTopUp({ limits: { minimum, maximum }, automatic }: Props) {
  const { t } = useTranslation('payments');
  const { money } = useFormat();
  const cache = useQueryClient();
  const isOwner = useMay()('own');
  const isOn = automatic?.state === 'on';
  const bounds = { minimum: money(minimum), maximum: money(maximum) };
  const form = useForm<{ threshold: Amount; amount: Amount }>({
    initialValues: { threshold: automatic?.threshold ?? 20, amount: automatic?.amount ?? Math.max(100, minimum) },
    validate: {
      threshold: (value) => (orNull(value) === null ? t('automatic.thresholdMissing') : null),
      amount: (value) => {
        const euros = orNull(value) ?? 0;
        return euros >= minimum && euros <= maximum ? null : t('online.bounds', bounds);
      },
    },
  });
  const values = { threshold: orNull(form.values.threshold) ?? 0, amount: orNull(form.values.amount) ?? 0 };
  const start = usePayOnline();
  const change = useMutation({
    mutationFn: () => call('changeAutomaticTopUp', { body: values }),
    onSuccess: () => notifications.show({ color: 'green', message: t('automatic.saved') }),
    onSettled: () => cache.invalidateQueries({ queryKey: paymentsQuery.queryKey }),
  });
  const stop = useMutation({
    mutationFn: () => call('stopAutomaticTopUp'),
    onSettled: () => cache.invalidateQueries({ queryKey: paymentsQuery.queryKey }),
  });
  return (
    <Card title={t('automatic.title')}>
      <form noValidate onSubmit={form.onSubmit(() => (isOn ? change.mutate() : start.mutate(values)))}>
        <Stack>
          <Text size="sm" c="dimmed">
            {t(isOn ? 'automatic.isOn' : 'automatic.text')}
          </Text>
          {automatic?.state === 'off' && automatic.offReason && (
            <Alert color="orange">{t(`automatic.off.${automatic.offReason}`)}</Alert>
          )}
          {automatic?.isReplacing && (
            <Alert color="blue">{t(isOn ? 'automatic.replacing' : 'automatic.pending')}</Alert>
          )}
          {automatic?.state === 'pending' && <Alert color="blue">{t('automatic.pending')}</Alert>}
          <SimpleGrid cols={{ base: 1, xs: 2 }} maw={540}>
            <EuroInput label={t('automatic.threshold')} disabled={!isOwner} {...form.getInputProps('threshold')} />
            <EuroInput label={t('automatic.amount')} disabled={!isOwner} {...form.getInputProps('amount')} />
          </SimpleGrid>
          <FormError error={start.error ?? change.error ?? stop.error} />
          {isOwner ? (
            <Group>
              <Button
                type="submit"
                variant={isOn ? 'filled' : 'default'}
                loading={(start.isLeaving && !isOn) || change.isPending}
              >
                {isOn ? t('automatic.save') : t('automatic.start', { amount: money(values.amount) })}
              </Button>
              {isOn && (
                <Button variant="default" loading={start.isLeaving} onClick={() => start.mutate(values)}>
                  {t('automatic.replace', { amount: money(values.amount) })}
                </Button>
              )}
              {isOn && (
                <ConfirmButton
                  title={t('automatic.stopTitle')}
                  text={t('automatic.stopText')}
                  confirm={t('automatic.stop')}
                  onConfirm={() => stop.mutate()}
                >
                  {t('automatic.stop')}
                </ConfirmButton>
              )}
            </Group>
          ) : (
            <Text size="sm" c="dimmed">
              {t('automatic.notAllowed')}
            </Text>
          )}
        </Stack>
      </form>
    </Card>
  );
}
