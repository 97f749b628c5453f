import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useExplainError } from '../../../api/use-explain-error.ts';
import { useMay, useSession } from '../../../session/session.ts';
import { BackLink } from '../../../shared/links.tsx';
import { PageTitle } from '../../../shared/page-title.tsx';
import { CreatedPanel } from './created-panel.tsx';
import { ShipmentFormView } from './shipment-form-view.tsx';
import { useShipmentForm } from './use-shipment-form.ts';

export default function NewShipmentPage() {
  const { t } = useTranslation(['newShipment', 'shipment']);
  const may = useMay();
  const { account } = useSession();
  const explain = useExplainError();
  const { form, create, resumed, startAfresh } = useShipmentForm(account.id, explain);
  return (
    <>
      <BackLink to="/shipments">{t('back', { ns: 'shipment' })}</BackLink>
      <PageTitle title={t('title')} />
      {!may('ship') && <Alert>{t('readOnly')}</Alert>}
      {may('ship') && create.data && <CreatedPanel created={create.data} onAnother={startAfresh} />}
      {may('ship') && !create.data && (
        <ShipmentFormView form={form} create={create} resumed={resumed} onDiscard={startAfresh} />
      )}
    </>
  );
}
