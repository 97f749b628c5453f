import { Button, Select } from '@mantine/core';
import { Form } from '@navette/ui/parts/form.tsx';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { ActFailure } from './act-failure.tsx';
import type { ActProps } from './act-props.ts';
import { Consequences } from './consequences.tsx';
import { useAct } from './use-act.ts';

const HOURS = { hour: 1, day: 24, threeDays: 72, week: 168 };
type Period = keyof typeof HOURS;
const PERIODS = Object.keys(HOURS) as Period[];

/** Sends the failed events of the last hours or days to a merchant's webhook again. */
export function ResendEvents({ subject, onDone, onConflict }: ActProps) {
  const { t } = useTranslation('acts');
  const [period, setPeriod] = useState<Period>('day');
  const { id, title } = subject;
  const resend = useAct(
    { onDone, onConflict },
    (chosen: Period) => {
      const now = Date.now();
      const since = new Date(now - HOURS[chosen] * 3_600_000).toISOString();
      const until = new Date(now).toISOString();
      return call('resendWebhookEvents', { params: { id }, body: { since, until, scope: 'lost' } });
    },
    () => t('resend.done', { title }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    resend.mutate(period);
  };
  return (
    <Form onSubmit={onSubmit}>
      <Select
        label={t('resend.period')}
        data={PERIODS.map((value) => ({ value, label: t(`resend.periods.${value}`) }))}
        value={period}
        onChange={(value) => setPeriod(PERIODS.find((one) => one === value) ?? 'day')}
        allowDeselect={false}
        data-autofocus
      />
      <Consequences lines={[t('resend.outcome'), t('resend.shown'), t('loggedName')]} />
      <ActFailure error={resend.error} />
      <Button type="submit" loading={resend.isPending}>
        {t('resend.submit')}
      </Button>
    </Form>
  );
}
