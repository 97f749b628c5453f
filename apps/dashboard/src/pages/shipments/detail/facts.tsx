import { Anchor, DataList, Group, Text } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Arrival } from '@navette/ui/parts/arrival.tsx';
import { Card } from '@navette/ui/parts/card.tsx';
import { CopyButton } from '@navette/ui/parts/copy-button.tsx';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import styles from '../shipments.module.css';
import type { ShipmentDetail } from '../shipments-queries.ts';
import { Slot } from '../slot.tsx';

/** Parcel, slot, references and notes. */
export function Facts({ detail }: { detail: ShipmentDetail }) {
  const { shipment, arrival, shareUrl, operatorPhone, recurringId } = detail;
  const isErased = detail.personalDataErasedAt !== null;
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
    [
      t('driver'),
      deliverer && typeof deliverer === 'object' && (
        <Driver key="driver" name={`${deliverer.firstname} ${deliverer.lastname}`} phone={operatorPhone} />
      ),
    ],
    [t('shareLink'), shareUrl && <ShareLink key="share" url={shareUrl} />],
    [t('reference'), <Copyable key="reference" value={shipment.referenceNumber} what={t('reference')} />],
    [t('orderNumber'), external.orderId && <Copyable key="order" value={external.orderId} what={t('orderNumber')} />],
    [t('shop'), external.shopDomain],
    [t('group'), shipment.groupReference],
    [t('id'), <Copyable key="id" value={shipment._id} what={t('id')} />],
    [
      t('channel'),
      recurringId ? (
        <AnchorLink key="channel" to="/recurring/$id" params={{ id: recurringId }} size="sm">
          {t('channels.recurring')}
        </AnchorLink>
      ) : known ? (
        t(channel as 'channels.api')
      ) : (
        external.platform
      ),
    ],
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

/** Drivers' own numbers are not given out: the operator puts people through. */
function Driver({ name, phone }: { name: string; phone: string | null }) {
  const { t } = useTranslation('shipment');
  return (
    <>
      {name}
      {phone && (
        <Text size="xs" c="dimmed">
          {t('reachDriver')}{' '}
          <Anchor size="xs" underline="always" href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>
            {phone}
          </Anchor>
        </Text>
      )}
    </>
  );
}

/** A page without delivery code and street, so that a team can look at it and pass it on. */
function ShareLink({ url }: { url: string }) {
  const { t } = useTranslation('shipment');
  return (
    <>
      <Group component="span" gap={4} my={-4} wrap="nowrap">
        <Anchor size="sm" underline="always" href={url} target="_blank" rel="noopener">
          {t('openShareLink')}
        </Anchor>
        <CopyButton value={url} what={t('shareLink')} />
      </Group>
      <Text size="xs" c="dimmed">
        {t('shareHint')}
      </Text>
    </>
  );
}

const Copyable = ({ value, what }: { value: string; what: string }) => (
  <Group component="span" gap={4} my={-4} wrap="nowrap">
    {value}
    <CopyButton value={value} what={what} />
  </Group>
);
