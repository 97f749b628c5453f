import { Button } from '@mantine/core';
import type { DriverPage } from '@navette/contract';
import { useChange } from '@navette/ui/api/use-change.ts';
import { type Amount, orNull } from '@navette/ui/parts/amount.ts';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { EuroInput } from '@navette/ui/parts/euro-input.tsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFrame } from '../../acts/act-frame.tsx';
import { ReasonForm } from '../../acts/reason-form.tsx';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';

/** The acts above the page: send a link, sign out, disable. */
export function DriverActs({ driver: { id, name, email, disabledAt }, sessions }: DriverPage) {
  const { t } = useTranslation('driver');
  const may = useMay();
  const [isDisabling, setIsDisabling] = useState(false);
  const queryKey = ['driver', id];
  const signOut = useChange({
    change: () => call('endDriverSessions', { params: { id } }),
    done: () => t('sessions.done', { name }),
    queryKey,
  });
  const invite = useChange({
    change: (by: 'email' | 'sms') => call('inviteDriver', { params: { id }, body: { by } }),
    done: () => t('invite.done', { name }),
    queryKey,
  });
  const by = email ? 'email' : 'sms';
  return (
    <>
      {may('dispatch') && !disabledAt && (
        <ConfirmButton
          title={t('invite.askTitle', { name })}
          text={t(`invite.askText.${by}`)}
          confirm={t('invite.send')}
          onConfirm={() => invite.mutate(by)}
          loading={invite.isPending}
        >
          {t('invite.send')}
        </ConfirmButton>
      )}
      {may('dispatch') && sessions.length > 0 && (
        <ConfirmButton
          title={t('sessions.askTitle', { name })}
          text={t('sessions.askText')}
          confirm={t('sessions.end')}
          onConfirm={() => signOut.mutate(undefined)}
          loading={signOut.isPending}
        >
          {t('sessions.end')}
        </ConfirmButton>
      )}
      {may('administer') && !disabledAt && (
        <Button variant="light" color="red" onClick={() => setIsDisabling(true)}>
          {t('disable.open')}
        </Button>
      )}
      {isDisabling && (
        <ActFrame title={t('disable.title', { name })} isWide={false} onClose={() => setIsDisabling(false)}>
          <ReasonForm
            isRed
            lines={[t('disable.outcome', { name }), t('disable.runsStay')]}
            submit={t('disable.open')}
            done={t('disable.done', { name })}
            act={(reason) => call('disableDriver', { params: { id }, body: { reason } })}
            onDone={() => setIsDisabling(false)}
          />
        </ActFrame>
      )}
    </>
  );
}

/** Corrects the pay: an entry of its own, since entries never change. */
export function CorrectPayButton({ driverId, lastEntry }: { driverId: string; lastEntry: number }) {
  const { t } = useTranslation('driver');
  const [opened, setOpened] = useState<{ lastEntry: number } | null>(null);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpened({ lastEntry })}>
        {t('pay.correct')}
      </Button>
      {opened && (
        <ActFrame title={t('pay.correct')} isWide={false} onClose={() => setOpened(null)}>
          <CorrectPayForm driverId={driverId} lastEntry={opened.lastEntry} onDone={() => setOpened(null)} />
        </ActFrame>
      )}
    </>
  );
}

function CorrectPayForm(props: { driverId: string; lastEntry: number; onDone: () => void }) {
  const { driverId, lastEntry, onDone } = props;
  const { t } = useTranslation('driver');
  const [amount, setAmount] = useState<Amount>('');
  const euros = orNull(amount) ?? 0;
  return (
    <ReasonForm
      lines={[t('pay.correctOutcome')]}
      submit={t('pay.correctSubmit')}
      done={t('pay.correctDone')}
      isDisabled={euros === 0}
      act={(reason) =>
        call('correctDriverPay', { params: { id: driverId }, body: { amount: euros, reason, lastEntry } })
      }
      onDone={onDone}
    >
      <EuroInput
        label={t('pay.amount')}
        description={t('pay.amountHint')}
        required
        min={-10_000}
        value={amount}
        onChange={setAmount}
      />
    </ReasonForm>
  );
}

export function EndSessionButton({ driverId, sessionId }: { driverId: string; sessionId: string }) {
  const { t } = useTranslation('driver');
  const end = useChange({
    change: () => call('endDriverSession', { params: { id: driverId, sessionId } }),
    done: () => t('sessions.endedOne'),
    queryKey: ['driver', driverId],
  });
  return (
    <Button size="compact-xs" variant="default" loading={end.isPending} onClick={() => end.mutate(undefined)}>
      {t('sessions.endOne')}
    </Button>
  );
}
