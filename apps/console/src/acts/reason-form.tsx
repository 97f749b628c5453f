import { Button } from '@mantine/core';
import { Form } from '@navette/ui/parts/form.tsx';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFailure } from './act-failure.tsx';
import { Consequences } from './consequences.tsx';
import { ReasonField } from './reason-field.tsx';
import { useAct } from './use-act.ts';

interface Props {
  /** Fields above the reason. */
  children?: ReactNode;
  /** The consequences, before the act. */
  lines: string[];
  /** Label of the button, a verb. */
  submit: string;
  isRed?: boolean;
  isDisabled?: boolean;
  act: (reason: string) => Promise<unknown>;
  /** The notification after it succeeded. */
  done: string;
  onDone: () => void;
  /** For errors that belong to a field above the reason. */
  onFail?: (error: unknown) => void;
}

/** A form that ends with a reason for the log of acts. */
export function ReasonForm({ children, lines, submit, isRed, isDisabled, act, done, onDone, onFail }: Props) {
  const { t } = useTranslation('acts');
  const [reason, setReason] = useState('');
  const run = useAct({ onDone, onConflict: () => {} }, act, () => done);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    run.mutate(reason.trim(), onFail ? { onError: onFail } : {});
  };
  return (
    <Form onSubmit={onSubmit}>
      {children}
      <ReasonField hint={t('reasonHint')} isFirst={!children} value={reason} onChange={setReason} />
      <Consequences lines={[...lines, t('logged')]} />
      <ActFailure error={run.error} />
      <Button
        type="submit"
        disabled={isDisabled || !reason.trim()}
        loading={run.isPending}
        {...(isRed ? { color: 'red.8' } : {})}
      >
        {submit}
      </Button>
    </Form>
  );
}
