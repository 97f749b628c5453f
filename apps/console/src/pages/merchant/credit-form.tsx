import { Button } from '@mantine/core';
import { MOST_CREDITED } from '@navette/contract/console-limits';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { type Amount, orNull } from '@navette/ui/parts/amount.ts';
import { EuroInput } from '@navette/ui/parts/euro-input.tsx';
import { Form } from '@navette/ui/parts/form.tsx';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFailure } from '../../acts/act-failure.tsx';
import { Consequences } from '../../acts/consequences.tsx';
import { ReasonField } from '../../acts/reason-field.tsx';
import { useAct } from '../../acts/use-act.ts';
import { call } from '../../api/call.ts';

/** Credits the account, or asks for a second person above the limit. The request's id makes a repetition harmless. */
export function CreditForm({ account, onDone }: { account: { id: string; name: string }; onDone: () => void }) {
  const { t } = useTranslation('merchant');
  const { t: tActs } = useTranslation('acts');
  const format = useFormat();
  const [amount, setAmount] = useState<Amount>('');
  const [reason, setReason] = useState('');
  const [requestId] = useState(() => crypto.randomUUID());
  const euros = orNull(amount) ?? 0;
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
      <EuroInput
        label={t('credit.amount')}
        required
        min={0.01}
        max={MOST_CREDITED}
        data-autofocus
        value={amount}
        onChange={setAmount}
      />
      <ReasonField hint={t('credit.reasonHint')} value={reason} onChange={setReason} />
      <Consequences lines={[t('credit.outcome', { name: account.name }), t('credit.limit'), tActs('logged')]} />
      <ActFailure error={credit.error} />
      <Button type="submit" disabled={euros <= 0} loading={credit.isPending}>
        {t('credit.submit')}
      </Button>
    </Form>
  );
}
