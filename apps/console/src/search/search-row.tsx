import { Badge, Text, ThemeIcon } from '@mantine/core';
import type { SearchResult } from '@navette/contract';
import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import { IconBike, IconBuildingStore, IconPackage } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './search.module.css';

const ICONS = { shipment: IconPackage, account: IconBuildingStore, driver: IconBike };

/** One result: the thing, facts that tell it from others, and the field that matched. */
export function SearchRow({ result }: { result: SearchResult }) {
  const { t } = useTranslation('search');
  const { type, title, matched, status, account, recipient, town, orderId, detail, isClosed } = result;
  const Icon = ICONS[type];
  const order = orderId && t('order', { order: orderId });
  const facts = [account, recipient, town, order, detail].filter((fact) => fact !== null && fact !== '');
  return (
    <>
      <ThemeIcon variant="light" size={32} aria-label={t(`types.${type}`)} role="img">
        <Icon size={18} stroke={1.6} />
      </ThemeIcon>
      <div className={classes.what}>
        <Text size="sm" fw={600} truncate>
          {title}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {facts.length > 0 ? facts.join(' · ') : t(`types.${type}`)}
        </Text>
      </div>
      {status && <StatusBadge status={status} />}
      {isClosed && (
        <Badge variant="light" color="gray" tt="none">
          {t(matched === 'key' ? 'revoked' : `closed.${type}`)}
        </Badge>
      )}
      <Text size="xs" c="dimmed" className={classes.matched}>
        {t(`fields.${matched}`)}
      </Text>
    </>
  );
}
