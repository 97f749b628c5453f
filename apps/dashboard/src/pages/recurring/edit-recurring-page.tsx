import { Alert } from '@mantine/core';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { BackLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { accountQuery } from '../account/account-query.ts';
import { FormSkeleton } from '../shipments/new/form-skeleton.tsx';
import { RecurringForm } from './recurring-form.tsx';
import { recurringListQuery, recurringQuery } from './recurring-queries.ts';
import { valuesOf } from './rule-values.ts';

const route = getRouteApi('/member/recurring/$id/edit');

export default function EditRecurringPage() {
  const { t } = useTranslation('recurring');
  const { id } = route.useParams();
  const may = useMay();
  const navigate = useNavigate();
  const account = useQuery(accountQuery);
  const query = useQuery(recurringQuery(id));
  return (
    <>
      <BackLink to="/recurring/$id" params={{ id }}>
        {t('back')}
      </BackLink>
      <PageTitle title={t('edit')} />
      {!may('ship') && <Alert>{t('readOnly')}</Alert>}
      {may('ship') && (
        <Loaded query={account} skeleton={<FormSkeleton />}>
          {({ account: own, blocks }) => (
            <Loaded query={query} skeleton={<FormSkeleton />}>
              {({ recurring }) => (
                <RecurringForm
                  initial={valuesOf(recurring)}
                  account={own}
                  blocks={blocks}
                  isChange
                  save={async (body) => {
                    await call('changeRecurring', { params: { id }, body });
                    await queryClient.invalidateQueries({ queryKey: recurringListQuery.queryKey });
                    await navigate({ to: '/recurring/$id', params: { id } });
                  }}
                />
              )}
            </Loaded>
          )}
        </Loaded>
      )}
    </>
  );
}
