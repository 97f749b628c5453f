import { DataList, Group, Text } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Arrival } from '@navette/ui/parts/arrival.tsx';
import { Card } from '@navette/ui/parts/card.tsx';
import { CopyButton } from '@navette/ui/parts/copy-button.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import styles from '../shipments.module.css';
import type { ShipmentDetail } from '../shipments-queries.ts';
import { Slot } from '../slot.tsx';

/** Parcel, slot, references and notes. */
export function Facts({
  shipment,
  arrival,
  isErased,
}: Pick<ShipmentDetail, 'shipment' | 'arrival'> & { isErased: boolean }) {
  const { t, i18n } = useTranslation('shipment');
  const format = useFormat();
  const { parcelDetails: parcel, scheduledDelivery: slot, externalReference: external, deliverer } = shipment;
  const channel = `channels.${external.platform}`;
  const known = i18n.exists(channel, { ns: 'shipment' });
  const facts = [
    [t('nature'), isErased ? null : parcel.nature],
    [t('weight'), t('kilograms', { weight: format.number(parcel.weight) })],
    [t('slot'), <Slot key="slot" of={slot} express={t('express')} />],
    [t('arrival'), arrival && <Arrival key="arrival" of={arrival} />],
    [t('driver'), deliverer && typeof deliverer === 'object' ? `${deliverer.firstname} ${deliverer.lastname}` : null],
    [t('reference'), <Copyable key="reference" value={shipment.referenceNumber} what={t('reference')} />],
    [t('orderNumber'), external.orderId && <Copyable key="order" value={external.orderId} what={t('orderNumber')} />],
    [t('shop'), external.shopDomain],
    [t('group'), shipment.groupReference],
    [t('id'), <Copyable key="id" value={shipment._id} what={t('id')} />],
    [t('channel'), known ? t(channel as 'channels.api') : external.platform],
    [t('createdAt'), <When key="at" at={shipment.createdAt} />],
  ] as const;
  return (
    <Card title={t('details')}>
      <DataList labelWidth="140px">
        {facts.map(
          ([label, value]) =>
            value && (
              <DataList.Item key={label}>
                <DataList.ItemLabel>{label}</DataList.ItemLabel>
                <DataList.ItemValue>{value}</DataList.ItemValue>
              </DataList.Item>
            ),
        )}
        {!isErased && (
          <DataList.Item>
            <DataList.ItemLabel>{t('notes')}</DataList.ItemLabel>
            <DataList.ItemValue>
              {shipment.notes ? (
                <Text size="sm" className={styles.text ?? ''}>
                  {shipment.notes}
                </Text>
              ) : (
                <Text size="sm" c="dimmed">
                  {t('noNotes')}
                </Text>
              )}
            </DataList.ItemValue>
          </DataList.Item>
        )}
      </DataList>
    </Card>
  );
}

const Copyable = ({ value, what }: { value: string; what: string }) => (
  <Group component="span" gap={4} my={-4} wrap="nowrap">
    {value}
    <CopyButton value={value} what={what} />
  </Group>
);
