import { Select, SimpleGrid } from '@mantine/core';
import type { Merchant } from '@navette/contract';
import { PAYMENT_MODES, PAYMENT_STATUSES } from '@navette/contract/statuses';
import { useFieldErrors } from '@navette/ui/api/use-explain-error.ts';
import { orNull } from '@navette/ui/parts/amount.ts';
import { EuroInput } from '@navette/ui/parts/euro-input.tsx';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ReasonForm } from '../../acts/reason-form.tsx';
import { call } from '../../api/call.ts';
import { fieldOfPath } from './settings-values.ts';

/** Prices and payment. Sends what was changed, with the version that was read when the form opened. */
export function TermsForm({ merchant, onDone }: { merchant: Merchant; onDone: () => void }) {
  const { t } = useTranslation('merchant');
  const [read] = useState(merchant);
  const [minimumPrice, setMinimumPrice] = useState<number | string>(read.minimumPrice);
  const [pricePerKg, setPricePerKg] = useState<number | string>(read.pricePerKg ?? '');
  const [creditLimit, setCreditLimit] = useState<number | string>(read.creditLimit ?? '');
  const [paymentMode, setPaymentMode] = useState(read.paymentMode);
  const [paymentStatus, setPaymentStatus] = useState(read.paymentStatus);
  const fieldErrors = useFieldErrors(fieldOfPath);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const terms = {
    ...(orNull(minimumPrice) !== read.minimumPrice ? { minimumPrice: orNull(minimumPrice) ?? 0 } : {}),
    ...(orNull(pricePerKg) !== read.pricePerKg ? { pricePerKg: orNull(pricePerKg) } : {}),
    ...(orNull(creditLimit) !== read.creditLimit ? { creditLimit: orNull(creditLimit) } : {}),
    ...(paymentMode !== read.paymentMode ? { paymentMode } : {}),
    ...(paymentStatus !== read.paymentStatus ? { paymentStatus } : {}),
  };
  const { id, name, version } = read;
  return (
    <ReasonForm
      lines={[t(paymentStatus === 'suspended' ? 'terms.suspends' : 'terms.outcome', { name })]}
      submit={t('edit.submit')}
      done={t('edit.done', { name })}
      isDisabled={Object.keys(terms).length === 0 || orNull(minimumPrice) === null}
      act={(reason) => call('updateMerchantTerms', { params: { id }, body: { version, reason, terms } })}
      onDone={onDone}
      onFail={(error) => setErrors(fieldErrors(error))}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <EuroInput
          label={t('money.minimumPrice')}
          required
          value={minimumPrice}
          onChange={setMinimumPrice}
          error={errors.minimumPrice}
        />
        <EuroInput
          label={t('money.pricePerKg')}
          value={pricePerKg}
          onChange={setPricePerKg}
          error={errors.pricePerKg}
        />
        <Select
          label={t('money.mode')}
          data={PAYMENT_MODES.map((value) => ({ value, label: t(`money.modes.${value}`) }))}
          allowDeselect={false}
          value={paymentMode}
          onChange={(value) => setPaymentMode(value as Merchant['paymentMode'])}
        />
        <EuroInput
          label={t('money.creditLimit')}
          description={t('terms.noLimitHint')}
          value={creditLimit}
          onChange={setCreditLimit}
          error={errors.creditLimit}
        />
        <Select
          label={t('money.status')}
          data={PAYMENT_STATUSES.map((value) => ({ value, label: t(`paymentStatuses.${value}`) }))}
          allowDeselect={false}
          value={paymentStatus}
          onChange={(value) => setPaymentStatus(value as Merchant['paymentStatus'])}
        />
      </SimpleGrid>
    </ReasonForm>
  );
}
