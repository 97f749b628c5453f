import { Badge, Text } from '@mantine/core';
import type { SearchResult } from '@navette/contract';
import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import { SearchRow } from '@navette/ui/search/search-row.tsx';
import { IconBike, IconBuildingStore, IconPackage } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './found-row.module.css';

const ICONS = { shipment: IconPackage, account: IconBuildingStore, driver: IconBike };

/** One result: the thing, facts that tell it from others, and the field that matched. */
export function FoundRow({ result }: { result: SearchResult }) {
  const { t } = useTranslation('search');
  const { type, title, matched, status, account, recipient, town, orderId, detail, isClosed } = result;
  const order = orderId && t('order', { order: orderId });
  const facts = [account, recipient, town, order, detail].filter((fact) => fact !== null && fact !== '');
  const kind = t(`types.${type}`);
  return (
    <SearchRow icon={ICONS[type]} kind={kind} title={title} facts={facts.length > 0 ? facts.join(' · ') : kind}>
      {status && <StatusBadge status={status} />}
      {isClosed && (
        <Badge variant="light" color="gray" tt="none">
          {t(matched === 'key' ? 'revoked' : `closed.${type}`)}
        </Badge>
      )}
      <Text size="xs" c="dimmed" className={classes.matched}>
        {t(`fields.${matched}`)}
      </Text>
    </SearchRow>
  );
}
