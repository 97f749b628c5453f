import { ActionIcon, Button, Menu } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { Language } from '@navette/ui/language';
import { ButtonLink } from '@navette/ui/parts/links.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconDots, IconDownload, IconPlus, IconUpload } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../../api/call.ts';
import { useMay, useSession } from '../../../session/session.ts';
import { type ListFilter, toQuery } from './list-filter.ts';

interface Props {
  filter: ListFilter;
  /** The account has no shipments: nothing to export, and the page explains how to start. */
  empty: boolean;
}

export function ListActions({ filter, empty }: Props) {
  const { t, i18n } = useTranslation('shipments');
  const may = useMay();
  const isView = useSession().view !== null;
  const navigate = useNavigate();
  useHotkeys([['n', () => may('ship') && void navigate({ to: '/shipments/new' })]]);
  const language = i18n.language as Language; // also decides the separators of the CSV file
  if (empty) return <PageTitle title={t('title')} />;
  const exporting = !isView && {
    href: urlOf('exportShipments', { query: { ...toQuery(filter), language } }),
    download: true,
  };
  return (
    <PageTitle title={t('title')}>
      {exporting && (
        <Button
          component="a"
          {...exporting}
          variant="default"
          leftSection={<IconDownload size={16} />}
          visibleFrom="sm"
        >
          {t('export')}
        </Button>
      )}
      {may('ship') && (
        <>
          <ButtonLink to="/shipments/import" variant="default" leftSection={<IconUpload size={16} />} visibleFrom="sm">
            {t('import')}
          </ButtonLink>
          <ButtonLink to="/shipments/new" leftSection={<IconPlus size={16} />}>
            {t('new')}
          </ButtonLink>
        </>
      )}
      {exporting && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size={36} hiddenFrom="sm" aria-label={t('moreActions')}>
              <IconDots size={18} stroke={1.6} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {may('ship') && (
              <Menu.Item
                renderRoot={(props) => <Link to="/shipments/import" {...props} />}
                leftSection={<IconUpload size={16} />}
              >
                {t('import')}
              </Menu.Item>
            )}
            <Menu.Item component="a" {...exporting} leftSection={<IconDownload size={16} />}>
              {t('export')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </PageTitle>
  );
}
