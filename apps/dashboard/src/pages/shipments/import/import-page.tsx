import { Skeleton, Stack } from '@mantine/core';
import { ApiError } from '@navette/ui/api-error';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { BackLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconFileOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ImportErrors } from './import-errors.tsx';
import { ImportStateBadge } from './import-history.tsx';
import { ImportPreview } from './import-preview.tsx';
import { ImportProgress } from './import-progress.tsx';
import { ImportResult } from './import-result.tsx';
import { type Import, importQuery } from './imports-queries.ts';
import { StartImport } from './start-import.tsx';

const route = getRouteApi('/member/shipments/import/$id');
const PROGRESS_EVERY_MS = 1_000;

/** One import, from its check to its result: what was done, and the actions that its state allows. */
export default function ImportPage() {
  const { t } = useTranslation('imports');
  const { id } = route.useParams();
  const query = useQuery({
    ...importQuery(id),
    refetchInterval: ({ state }) => (state.data?.import.state === 'running' ? PROGRESS_EVERY_MS : false),
  });
  const missing = query.error instanceof ApiError && query.error.status === 404;
  return (
    <>
      <BackLink to="/shipments/import">{t('another')}</BackLink>
      {missing && <EmptyState icon={IconFileOff} title={t('notFoundTitle')} text={t('notFoundText')} />}
      {!missing && (
        <Loaded query={query} skeleton={<Skeleton h={480} mt="md" />}>
          {(answer) => <ImportDetail of={answer.import} />}
        </Loaded>
      )}
    </>
  );
}

function ImportDetail({ of }: { of: Import }) {
  const { t } = useTranslation('imports');
  return (
    <>
      <PageTitle
        title={t(of.state === 'previewed' ? 'previewTitle' : 'importTitle', { name: of.filename })}
        text={<ImportStateBadge state={of.state} />}
      />
      <Stack gap="lg">
        {of.state === 'previewed' && <StartImport of={of} />}
        {of.state === 'running' && <ImportProgress of={of} />}
        {(of.state === 'done' || of.state === 'cancelled') && <ImportResult of={of} />}
        <ImportErrors of={of} />
        {of.state === 'previewed' && <ImportPreview of={of} />}
      </Stack>
    </>
  );
}
