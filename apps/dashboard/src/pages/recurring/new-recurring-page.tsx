import { Alert } from '@mantine/core';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { BackLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { accountQuery } from '../account/account-query.ts';
import { FormSkeleton } from '../shipments/new/form-skeleton.tsx';
import { newIdempotencyKey } from '../shipments/new/idempotency-key.ts';
import { shipmentQuery } from '../shipments/shipments-queries.ts';
import { RecurringForm } from './recurring-form.tsx';
import { recurringListQuery } from './recurring-queries.ts';
import { newValues, repeatShipment, type Values } from './rule-values.ts';

const route = getRouteApi('/member/recurring/new');

export default function NewRecurringPage() {
  const { t } = useTranslation('recurring');
  const may = useMay();
  const { copy } = route.useSearch();
  const original = useQuery({ ...shipmentQuery(copy ?? ''), enabled: copy !== undefined });
  return (
    <>
      <BackLink to="/recurring">{t('back')}</BackLink>
      <PageTitle title={t('new')} />
      {!may('ship') && <Alert>{t('readOnly')}</Alert>}
      {may('ship') && copy === undefined && <NewRecurring initial={newValues()} />}
      {may('ship') && copy !== undefined && (
        <Loaded query={original} skeleton={<FormSkeleton />}>
          {({ shipment }) => <NewRecurring key={copy} initial={repeatShipment(shipment)} />}
        </Loaded>
      )}
    </>
  );
}

function NewRecurring({ initial }: { initial: Values }) {
  const query = useQuery(accountQuery);
  const navigate = useNavigate();
  const [key] = useState(newIdempotencyKey); // sent twice, the form creates one
  return (
    <Loaded query={query} skeleton={<FormSkeleton />}>
      {({ account, blocks }) => (
        <RecurringForm
          {...{ initial, account, blocks }}
          isChange={false}
          save={async (body) => {
            const { recurring } = await call('createRecurring', { headers: { 'x-idempotency-key': key }, body });
            await queryClient.invalidateQueries({ queryKey: recurringListQuery.queryKey });
            await navigate({ to: '/recurring/$id', params: { id: recurring.id } });
          }}
        />
      )}
    </Loaded>
  );
}
