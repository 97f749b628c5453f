import { Button } from '@mantine/core';
import { Form } from '@navette/ui/parts/form.tsx';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { ActFailure } from './act-failure.tsx';
import type { ActProps } from './act-props.ts';
import { Consequences } from './consequences.tsx';
import { ReasonField } from './reason-field.tsx';
import { useAct } from './use-act.ts';
import { WhyText } from './why-text.tsx';

/** Confirms a delivery without the recipient's code. */
export function ConfirmDelivery({ subject, why, onDone, onConflict }: ActProps) {
  const { t } = useTranslation('acts');
  const [reason, setReason] = useState('');
  const { id, title, version } = subject;
  const confirm = useAct(
    { onDone, onConflict },
    (given: string) => call('confirmDelivery', { params: { id }, body: { reason: given, version: version ?? '' } }),
    ({ approvalId }) => t(approvalId ? 'waitsForApproval' : 'confirm.done', { title }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    confirm.mutate(reason.trim());
  };
  return (
    <Form onSubmit={onSubmit}>
      <WhyText why={why} />
      <ReasonField hint={t('confirm.reasonHint')} isFirst value={reason} onChange={setReason} />
      <Consequences lines={[t('confirm.delivered', { title }), t('confirm.limit'), t('logged')]} />
      <ActFailure error={confirm.error} />
      <Button type="submit" loading={confirm.isPending}>
        {t('confirm.submit')}
      </Button>
    </Form>
  );
}
