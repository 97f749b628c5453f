import { Button, Stack } from '@mantine/core';
import type { MessageKind } from '@navette/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { ActFailure } from './act-failure.tsx';
import type { ActProps } from './act-props.ts';
import { Consequences } from './consequences.tsx';
import { useAct } from './use-act.ts';
import { WhyText } from './why-text.tsx';

interface SimpleProps extends ActProps {
  name: 'resume' | 'retry' | 'resendMessage' | 'liftZone';
  act: () => Promise<unknown>;
}

/** An act without anything to fill in: says what will happen, then does it. */
function SimpleAct({ subject, why, onDone, onConflict, name, act }: SimpleProps) {
  const { t } = useTranslation('acts');
  const { title } = subject;
  const run = useAct({ onDone, onConflict }, act, () => t(`${name}.done`, { title }));
  return (
    <Stack>
      <WhyText why={why} />
      <Consequences lines={[t(`${name}.outcome`), t('logged')]} />
      <ActFailure error={run.error} />
      <Button data-autofocus loading={run.isPending} onClick={() => run.mutate(undefined)}>
        {t(`${name}.submit`)}
      </Button>
    </Stack>
  );
}

export function ResumeWebhook(props: ActProps) {
  const { id } = props.subject;
  return <SimpleAct {...props} name="resume" act={() => call('resumeWebhook', { params: { id } })} />;
}

export function RetryMessage(props: ActProps) {
  const { id } = props.subject;
  return <SimpleAct {...props} name="retry" act={() => call('retryMessage', { params: { id } })} />;
}

/** A message that was sent, by its kind: a row of the shipment. */
export function ResendMessage({ kind, ...props }: ActProps & { kind: MessageKind }) {
  const { id } = props.subject;
  const act = () => call('resendConsoleMessage', { params: { id }, body: { kind } });
  return <SimpleAct {...props} name="resendMessage" act={act} />;
}

export function LiftZone(props: ActProps) {
  const { id } = props.subject;
  return <SimpleAct {...props} name="liftZone" act={() => call('liftZone', { params: { id } })} />;
}
