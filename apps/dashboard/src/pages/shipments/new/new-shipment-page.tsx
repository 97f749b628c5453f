import { Alert } from '@mantine/core';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { BackLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useMay, useSession } from '../../../session/session.ts';
import { accountQuery } from '../../account/account-query.ts';
import { CreatedPanel } from './created-panel.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { ShipmentFormView } from './shipment-form-view.tsx';
import { useShipmentForm } from './use-shipment-form.ts';

export default function NewShipmentPage() {
  const { t } = useTranslation(['newShipment', 'shipment']);
  const may = useMay();
  const session = useSession();
  const query = useQuery({ ...accountQuery, enabled: may('ship') });
  const explain = useExplainError();
  const { form, create, resumed, startOver } = useShipmentForm(session.account.id, explain);
  return (
    <>
      <BackLink to="/shipments">{t('back', { ns: 'shipment' })}</BackLink>
      <PageTitle title={t('title')} />
      {!may('ship') && <Alert>{t('readOnly')}</Alert>}
      {may('ship') && create.data && <CreatedPanel created={create.data} onAnother={startOver} />}
      {may('ship') && !create.data && (
        // Only once the account is loaded: its address and time slots are the defaults of the form.
        <Loaded query={query} skeleton={<FormSkeleton />}>
          {({ account }) => (
            <ShipmentFormView form={form} account={account} create={create} resumed={resumed} onDiscard={startOver} />
          )}
        </Loaded>
      )}
    </>
  );
}
