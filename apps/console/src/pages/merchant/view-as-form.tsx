import { Button } from '@mantine/core';
import { VIEW_MINUTES } from '@navette/contract/dashboard-view-as';
import { Form } from '@navette/ui/parts/form.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Consequences } from '../../acts/consequences.tsx';
import { ReasonField } from '../../acts/reason-field.tsx';
import { call } from '../../api/call.ts';

/** Starts a view of the merchant's dashboard and goes there. Its banner leads back to this page. */
export function ViewAsForm({ account: { id, name } }: { account: { id: string; name: string } }) {
  const { t } = useTranslation('merchant');
  const { t: tActs } = useTranslation('acts');
  const [reason, setReason] = useState('');
  const start = useMutation({
    mutationFn: () => call('viewAsMerchant', { params: { id }, body: { reason: reason.trim() } }),
    onSuccess: () => window.location.assign('/dashboard/'),
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <Form onSubmit={onSubmit}>
      <ReasonField hint={t('viewAs.reasonHint')} isFirst value={reason} onChange={setReason} />
      <Consequences
        lines={[t('viewAs.readOnly', { name, count: VIEW_MINUTES }), t('viewAs.visible', { name }), tActs('logged')]}
      />
      <FormError error={start.error} />
      <Button type="submit" disabled={!reason.trim()} loading={start.isPending || start.isSuccess}>
        {t('viewAs.submit')}
      </Button>
    </Form>
  );
}
