import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from '../shipments.module.css';
import type { ShipmentLine } from '../shipments-queries.ts';

/** Display name of a shipment: its order number, else its reference. */
export const nameOf = ({ orderId, referenceNumber }: ShipmentLine) => orderId ?? referenceNumber;

export function OrderLink({ line }: { line: ShipmentLine }) {
  const { t } = useTranslation('shipments');
  return (
    <>
      <Link to="/shipments/$id" params={{ id: line.id }} className={styles.link ?? ''}>
        {nameOf(line)}
      </Link>
      <Text size="xs" c="dimmed" {...(line.orderId ? { ff: 'monospace' } : {})}>
        {line.orderId ? line.referenceNumber : t('noOrder')}
      </Text>
    </>
  );
}
