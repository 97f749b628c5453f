import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconDownload, IconPlus, IconUpload } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { addressOf } from '../../../api/call.ts';
import type { Language } from '../../../i18n/language.ts';
import { useMay } from '../../../session/session.ts';
import { ButtonLink } from '../../../shared/links.tsx';
import { PageTitle } from '../../../shared/page-title.tsx';
import { asQuery, type ListFilter } from './list-filter.ts';

interface Props {
  filter: ListFilter;
  /** Nothing to export, and the page itself says how to begin. */
  empty: boolean;
}

export function ListActions({ filter, empty }: Props) {
  const { t, i18n } = useTranslation('shipments');
  const may = useMay();
  const navigate = useNavigate();
  useHotkeys([['n', () => may('ship') && void navigate({ to: '/shipments/new' })]]);
  const language = i18n.language as Language; // also which separators a spreadsheet expects
  if (empty) return <PageTitle title={t('title')} />;
  return (
    <PageTitle title={t('title')}>
      <Button
        component="a"
        href={addressOf('exportShipments', { query: { ...asQuery(filter), language } })}
        download
        variant="default"
        leftSection={<IconDownload size={16} />}
      >
        {t('export')}
      </Button>
      {may('ship') && (
        <>
          <ButtonLink to="/shipments/import" variant="default" leftSection={<IconUpload size={16} />}>
            {t('import')}
          </ButtonLink>
          <ButtonLink to="/shipments/new" leftSection={<IconPlus size={16} />}>
            {t('new')}
          </ButtonLink>
        </>
      )}
    </PageTitle>
  );
}
