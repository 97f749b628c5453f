import { Button } from '@mantine/core';
import type { FiguresBy } from '@navette/contract';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { urlOf } from '../../api/call.ts';
import type { Period } from './periods.ts';

/** Downloads a table with all its rows. */
export function ExportLink({ period, by }: { period: Period; by: FiguresBy | 'incident' }) {
  const { t } = useTranslation('figures');
  return (
    <Button
      component="a"
      href={urlOf('exportFigures', { query: { ...period, by } })}
      download
      variant="default"
      leftSection={<IconDownload size={18} stroke={1.6} />}
      aria-label={t('export', { table: t(`tables.${by}`) })}
    >
      CSV
    </Button>
  );
}
