import { Button, Radio, Stack, TextInput } from '@mantine/core';
import type { OperatorResolution } from '@navette/contract';
import { OPERATOR_RESOLUTIONS } from '@navette/contract/driver-incidents';
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

interface Decision {
  resolution: OperatorResolution;
  reason: string;
  leftWith?: string;
}

/** Decides how an open incident ends. */
export function ResolveIncident({ subject, why, onDone, onConflict }: ActProps) {
  const { t } = useTranslation('acts');
  const [resolution, setResolution] = useState<OperatorResolution>('tried_again');
  const [reason, setReason] = useState('');
  const [leftWith, setLeftWith] = useState('');
  const { id, title, version } = subject;
  const resolve = useAct(
    { onDone, onConflict },
    (decision: Decision) => call('resolveIncident', { params: { id }, body: { ...decision, version: version ?? '' } }),
    () => t('incident.done', { title }),
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    resolve.mutate({
      resolution,
      reason: reason.trim(),
      ...(resolution === 'left_with' ? { leftWith: leftWith.trim() } : {}),
    });
  };
  return (
    <Form onSubmit={onSubmit}>
      <WhyText why={why} />
      <Radio.Group
        label={t('incident.choose')}
        value={resolution}
        onChange={(value) => setResolution(value as OperatorResolution)}
      >
        <Stack gap="xs" mt="xs">
          {OPERATOR_RESOLUTIONS.map((one, index) => (
            <Radio
              key={one}
              value={one}
              label={t(`incident.resolutions.${one}`)}
              {...(index === 0 ? { 'data-autofocus': true } : {})}
            />
          ))}
        </Stack>
      </Radio.Group>
      {resolution === 'left_with' && (
        <TextInput
          label={t('incident.leftWith')}
          required
          maxLength={100}
          value={leftWith}
          onChange={(event) => setLeftWith(event.currentTarget.value)}
        />
      )}
      <ReasonField value={reason} onChange={setReason} />
      <Consequences lines={[t(`incident.outcome.${resolution}`), t('incident.notified'), t('logged')]} />
      <ActFailure error={resolve.error} />
      <Button type="submit" loading={resolve.isPending}>
        {t('incident.submit')}
      </Button>
    </Form>
  );
}
