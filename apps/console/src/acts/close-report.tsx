import { Blockquote, Button } from '@mantine/core';
import { Form } from '@navette/ui/parts/form.tsx';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { shipmentQuery } from '../pages/shipment/shipment-query.ts';
import { ActFailure } from './act-failure.tsx';
import type { ActProps } from './act-props.ts';
import { Consequences } from './consequences.tsx';
import { ReasonField } from './reason-field.tsx';
import { useAct } from './use-act.ts';
import { WhyText } from './why-text.tsx';

/** Closes the problem that a recipient reported, with the message in view. */
export function CloseReport({ subject, why, onDone, onConflict }: ActProps) {
  const { t } = useTranslation('acts');
  const [outcome, setOutcome] = useState('');
  const { id, title } = subject;
  const { data } = useQuery(shipmentQuery(id));
  const message = data?.story.findLast(({ kind }) => kind === 'report_opened')?.facts.note;
  const close = useAct(
    { onDone, onConflict },
    (reason: string) => call('closeReport', { params: { id }, body: { reason } }),
    () => t('report.done', { title }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    close.mutate(outcome.trim());
  };
  return (
    <Form onSubmit={onSubmit}>
      <WhyText why={why} />
      {message && (
        <Blockquote p="sm" m={0} fz="sm" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
          {message}
        </Blockquote>
      )}
      <ReasonField label={t('report.outcome')} hint={t('report.hint')} isFirst value={outcome} onChange={setOutcome} />
      <Consequences lines={[t('report.shown'), t('logged')]} />
      <ActFailure error={close.error} />
      <Button type="submit" loading={close.isPending}>
        {t('report.submit')}
      </Button>
    </Form>
  );
}
