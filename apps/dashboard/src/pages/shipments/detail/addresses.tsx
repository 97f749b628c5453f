import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Card } from '../../../shared/card.tsx';
import type { ShipmentDetail } from '../shipments-queries.ts';

type Shipment = ShipmentDetail['shipment'];

/** From where to where, and whom to call there. For a collection the customer is at the start. */
export function Addresses({ shipment }: { shipment: Shipment }) {
  const { t } = useTranslation('shipment');
  const { pickupAddress: pickup, deliveryAddress: delivery, collectionContact: contact, isCollection } = shipment;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <Card title={isCollection ? t('collectionAddress') : t('pickupAddress')}>
        <Place {...pickup}>
          {contact && <Person name={contact.name} phone={contact.phoneNumber} email={contact.email} />}
        </Place>
      </Card>
      <Card title={isCollection ? t('workshopAddress') : t('deliveryAddress')}>
        <Place {...delivery} name={delivery.recipientName}>
          <Person name={null} phone={delivery.phoneNumber} email={delivery.email} />
        </Place>
      </Card>
    </SimpleGrid>
  );
}

interface PlaceProps {
  name?: string;
  street: string;
  postalCode: string;
  city: string;
  country: string;
  children: ReactNode;
}

function Place({ name, street, postalCode, city, country, children }: PlaceProps) {
  return (
    <Stack gap={2} component="address" style={{ fontStyle: 'normal' }}>
      {name && <Text fw={600}>{name}</Text>}
      <Text size="sm">{street}</Text>
      <Text size="sm">
        {postalCode} {city}
      </Text>
      <Text size="sm" c="dimmed">
        {country}
      </Text>
      {children}
    </Stack>
  );
}

/** Links are made here, of a known kind: what a merchant wrote is never an address by itself. */
function Person({ name, phone, email }: { name: string | null; phone: string; email: string }) {
  return (
    <Stack gap={2} mt="xs">
      {name && <Text size="sm">{name}</Text>}
      <Anchor size="sm" href={`tel:${encodeURIComponent(phone)}`}>
        {phone}
      </Anchor>
      <Anchor size="sm" href={`mailto:${encodeURIComponent(email)}`}>
        {email}
      </Anchor>
    </Stack>
  );
}
