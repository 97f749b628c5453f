import type { Merchant } from '@navette/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReasonForm } from '../../acts/reason-form.tsx';
import { call } from '../../api/call.ts';
import { EditButton } from './edit-button.tsx';

export function CloseMerchantButton({ merchant }: { merchant: Merchant }) {
  const { t } = useTranslation('merchant');
  return (
    <EditButton isRed label={t('close.open')} title={t('close.title', { name: merchant.name })}>
      {(close) => <CloseForm merchant={merchant} onDone={close} />}
    </EditButton>
  );
}

function CloseForm({ merchant, onDone }: { merchant: Merchant; onDone: () => void }) {
  const { t } = useTranslation('merchant');
  const [{ id, name, version }] = useState(merchant);
  return (
    <ReasonForm
      isRed
      lines={[t('close.outcome', { name }), t('close.permanent')]}
      submit={t('close.open')}
      done={t('close.done', { name })}
      act={(reason) => call('closeMerchant', { params: { id }, body: { version, reason } })}
      onDone={onDone}
    />
  );
}
