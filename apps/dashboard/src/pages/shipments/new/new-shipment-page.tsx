import { Alert } from '@mantine/core';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { BackLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMay, useSession } from '../../../session/session.ts';
import { accountQuery } from '../../account/account-query.ts';
import { shipmentQuery } from '../shipments-queries.ts';
import { CreatedPanel } from './created-panel.tsx';
import { FormSkeleton } from './form-skeleton.tsx';
import { copyForm, type FormValues } from './form-values.ts';
import { ShipmentFormView } from './shipment-form-view.tsx';
import { useShipmentForm } from './use-shipment-form.ts';

const route = getRouteApi('/member/shipments/new');

export default function NewShipmentPage() {
  const { t } = useTranslation(['newShipment', 'shipment']);
  const may = useMay();
  const { copy } = route.useSearch();
  const original = useQuery({ ...shipmentQuery(copy ?? ''), enabled: copy !== undefined });
  return (
    <>
      <BackLink to="/shipments">{t('back', { ns: 'shipment' })}</BackLink>
      <PageTitle title={t('title')} />
      {!may('ship') && <Alert>{t('readOnly')}</Alert>}
      {may('ship') && copy === undefined && <NewShipment copied={null} />}
      {may('ship') && copy !== undefined && (
        <Loaded query={original} skeleton={<FormSkeleton />}>
          {({ shipment }) => <NewShipment key={copy} copied={copyForm(shipment)} />}
        </Loaded>
      )}
    </>
  );
}

function NewShipment({ copied }: { copied: FormValues | null }) {
  const session = useSession();
  const query = useQuery(accountQuery);
  const explain = useExplainError();
  const { form, create, resumed, startOver } = useShipmentForm(session.account.id, explain, copied);
  if (create.data) return <CreatedPanel created={create.data} onAnother={startOver} />;
  return (
    // Only once the account is loaded: its address and time slots are the defaults of the form.
    <Loaded query={query} skeleton={<FormSkeleton />}>
      {({ account, blocks }) => (
        <ShipmentFormView {...{ form, account, blocks, create, resumed }} onDiscard={startOver} />
      )}
    </Loaded>
  );
}
