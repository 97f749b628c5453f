import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ShipmentPage } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Arrival } from '@navette/ui/parts/arrival.tsx';
import { Card } from '@navette/ui/parts/card.tsx';
import { Fact } from '@navette/ui/parts/fact.tsx';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import { phoneText } from '../../acts/phone.ts';

/** People, places and the parcel of the shipment. */
export function ShipmentFacts({ shipment }: { shipment: ShipmentPage }) {
  const { t } = useTranslation('shipment');
  const { account, driver, pickup } = shipment;
  return (
    <>
      <Card title={t('recipient')}>
        <Stack gap={6}>
          <RecipientFacts shipment={shipment} />
          <Stack component="dl" gap={6} m={0}>
            <Place label={t('delivery')} place={shipment.delivery} />
            {pickup && <Place label={t('pickup')} place={pickup} />}
            {shipment.notes && <Fact label={t('notes')}>{shipment.notes}</Fact>}
            {shipment.recipientNote && <Fact label={t('recipientNote')}>{shipment.recipientNote}</Fact>}
          </Stack>
        </Stack>
      </Card>
      <Card title={t('driver')}>
        {driver ? (
          <Stack gap={2}>
            <AnchorLink to="/drivers/$id" params={{ id: driver.id }} size="sm" fw={600}>
              {driver.name}
            </AnchorLink>
            <Phone number={driver.phone} />
          </Stack>
        ) : (
          <Text size="sm" c="dimmed">
            {t('noDriver')}
          </Text>
        )}
      </Card>
      <Card title={t('merchant')}>
        <AnchorLink to="/merchants/$id" params={{ id: account.id }} size="sm" fw={600}>
          {account.name}
        </AnchorLink>
      </Card>
      <ParcelCard shipment={shipment} />
    </>
  );
}

function RecipientFacts({ shipment: { recipient, personalDataErasedAt } }: { shipment: ShipmentPage }) {
  const { t } = useTranslation('shipment');
  const format = useFormat();
  if (personalDataErasedAt) return <Text size="sm">{t('erased', { date: format.date(personalDataErasedAt) })}</Text>;
  if (!recipient) {
    return (
      <Text size="sm" c="dimmed">
        {t('hidden')}
      </Text>
    );
  }
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {recipient.name}
      </Text>
      <Phone number={recipient.phone} />
      <Anchor size="sm" href={`mailto:${recipient.email}`} style={{ overflowWrap: 'anywhere' }}>
        {recipient.email}
      </Anchor>
    </Stack>
  );
}

const Phone = ({ number }: { number: string }) => (
  <Anchor size="sm" href={`tel:${number.replaceAll(/[^\d+]/g, '')}`}>
    {phoneText(number)}
  </Anchor>
);

function Place({ label, place }: { label: string; place: ShipmentPage['delivery'] }) {
  const { t } = useTranslation('shipment');
  return (
    <Fact label={label}>
      {place.street && <>{place.street}, </>}
      {place.postalCode} {place.city}
      {!place.isLocated && (
        <Text component="span" size="sm" c="red" display="block">
          {t('notLocated')}
        </Text>
      )}
    </Fact>
  );
}

const SOURCES = ['api', 'dashboard', 'import', 'recurring'] as const;

function ParcelCard({ shipment }: { shipment: ShipmentPage }) {
  const { t } = useTranslation('shipment');
  const format = useFormat();
  const { slot, isCollection, weight, nature, price, orderId, groupReference, promisedUntil, createdAt } = shipment;
  const source = SOURCES.find((one) => one === shipment.source);
  return (
    <Card title={t('parcel')}>
      <SimpleGrid component="dl" cols={2} spacing="sm" verticalSpacing={8} m={0}>
        <Fact label={t('kind')}>{t(isCollection ? 'kinds.collection' : 'kinds.delivery')}</Fact>
        <Fact label={t('parcel')}>
          {nature} · {t('weight', { weight: format.number(weight) })}
        </Fact>
        <Fact label={t('slot')}>{slot ? `${format.dayOfSlot(slot.date)}, ${slot.timeSlot}` : t('express')}</Fact>
        <Fact label={t('promised')}>
          <When at={promisedUntil} />
        </Fact>
        {shipment.arrival && (
          <Fact label={t('arrival')}>
            <Arrival of={shipment.arrival} />
          </Fact>
        )}
        <Fact label={t('price')}>
          <Money euros={price} />
        </Fact>
        <Fact label={t('createdAt')}>
          <When at={createdAt} />
        </Fact>
        {orderId && <Fact label={t('order')}>{orderId}</Fact>}
        {groupReference && <Fact label={t('group')}>{groupReference}</Fact>}
        <Fact label={t('source')}>{source ? t(`sources.${source}`) : shipment.source}</Fact>
      </SimpleGrid>
    </Card>
  );
}
