import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import type { Payment } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { ErrorState } from '@navette/ui/parts/error-state.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { accountQuery } from '../account/account-query.ts';
import { paymentQuery, paymentsQuery, STATE_COLOURS } from './payment-queries.ts';

interface Props {
  id: string;
  /** How the person left the payment provider's page. */
  back: 'done' | 'left' | undefined;
}

/** The stored state of the payment that the person comes back from: nothing is called paid before it is. */
export function PaymentOutcome({ id, back }: Props) {
  const query = useQuery(paymentQuery(id));
  const cache = useQueryClient();
  const status = query.data?.status;
  useEffect(() => {
    if (!status || status === 'open') return;
    void cache.invalidateQueries({ queryKey: paymentsQuery.queryKey });
    void cache.invalidateQueries({ queryKey: accountQuery.queryKey });
  }, [cache, status]);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return query.data ? <Outcome payment={query.data} back={back} /> : null;
}

function Outcome({ payment: { id, status, amount }, back }: { payment: Payment; back: Props['back'] }) {
  const { t } = useTranslation('payments');
  const { money } = useFormat();
  const mayPay = useMay()('pay');
  const resume = useMutation({
    mutationFn: () => call('startTopUp', { body: { amount, requestId: id } }),
    onSuccess: ({ url }) => url && window.location.assign(url),
  });
  const isAwaited = status === 'open' && back === 'done';
  const state = status === 'open' && !isAwaited ? 'left' : status;
  return (
    <Alert
      mb="lg"
      role="status"
      color={isAwaited ? 'blue' : STATE_COLOURS[status]}
      title={t(`outcome.${state}.title`, { amount: money(amount) })}
      icon={isAwaited ? <Loader size={18} /> : undefined}
    >
      <Text size="sm">{t(`outcome.${state}.text`)}</Text>
      <FormError error={resume.error} />
      {state === 'left' && mayPay && (
        <Group mt="sm">
          <Button size="xs" loading={resume.isPending} onClick={() => resume.mutate()}>
            {t('outcome.left.resume')}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
