import { Button, NumberInput, Textarea } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Form } from '@navette/ui/parts/form.tsx';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { ActFailure } from '../inbox/acts/act-failure.tsx';
import { Consequences } from '../inbox/acts/consequences.tsx';
import { useAct } from '../inbox/acts/use-act.ts';

const MOST = 100_000; // euros, as in the contract

/** Credits the account, or asks for a second person above the limit. The request's id makes a repetition harmless. */
export function CreditForm({ account, onDone }: { account: { id: string; name: string }; onDone: () => void }) {
  const { t, i18n } = useTranslation('merchant');
  const { t: tActs } = useTranslation('acts');
  const format = useFormat();
  const decimalMark = i18n.language === 'fr' ? ',' : '.';
  const [amount, setAmount] = useState<number | string>('');
  const [reason, setReason] = useState('');
  const [requestId] = useState(() => crypto.randomUUID());
  const euros = typeof amount === 'number' ? amount : 0;
  const credit = useAct(
    { onDone, onConflict: () => {} },
    (body: { amount: number; reason: string; requestId: string }) =>
      call('creditAccount', { params: { id: account.id }, body }),
    ({ approvalId }) =>
      t(approvalId ? 'credit.waits' : 'credit.done', { name: account.name, amount: format.money(euros) }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    credit.mutate({ amount: euros, reason: reason.trim(), requestId });
  };
  return (
    <Form onSubmit={onSubmit}>
      <NumberInput
        label={t('credit.amount')}
        required
        min={0.01}
        max={MOST}
        decimalScale={2}
        decimalSeparator={decimalMark}
        allowedDecimalSeparators={['.', ',']}
        suffix=" €"
        hideControls
        data-autofocus
        value={amount}
        onChange={setAmount}
      />
      <Textarea
        label={tActs('reason')}
        description={t('credit.reasonHint')}
        required
        maxLength={500}
        minRows={2}
        autosize
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <Consequences lines={[t('credit.outcome', { name: account.name }), t('credit.limit'), tActs('logged')]} />
      <ActFailure error={credit.error} />
      <Button type="submit" disabled={euros <= 0} loading={credit.isPending}>
        {t('credit.submit')}
      </Button>
    </Form>
  );
}
