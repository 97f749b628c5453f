import { Anchor, SimpleGrid, Stack, Text } from '@mantine/core';
import { Card } from '@navette/ui/parts/card.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../session/session.ts';
import { SaveAddress } from '../../addresses/save-address.tsx';
import type { ShipmentDetail } from '../shipments-queries.ts';

type Shipment = ShipmentDetail['shipment'];

/** Pickup and delivery address with their contacts. A collection starts at the customer. After erasure, only the town. */
export function Addresses({ shipment, isErased }: { shipment: Shipment; isErased: boolean }) {
  const { t } = useTranslation('shipment');
  const may = useMay();
  const { pickupAddress: pickup, deliveryAddress: delivery, collectionContact: contact, isCollection } = shipment;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
      <Card title={isCollection ? t('collectionAddress') : t('pickupAddress')}>
        <Place {...pickup} street={isErased ? null : pickup.street}>
          {contact && <Person name={contact.name} phone={contact.phoneNumber} email={contact.email} />}
        </Place>
      </Card>
      <Card title={isCollection ? t('workshopAddress') : t('deliveryAddress')}>
        {isErased ? (
          <Place {...delivery} street={null} />
        ) : (
          <Place {...delivery} name={delivery.recipientName}>
            <Person name={null} phone={delivery.phoneNumber} email={delivery.email} />
            {may('ship') && !isCollection && <SaveAddress of={delivery} />}
          </Place>
        )}
      </Card>
    </SimpleGrid>
  );
}

interface PlaceProps {
  name?: string;
  street: string | null;
  postalCode: string;
  city: string;
  country: string;
  children?: ReactNode;
}

function Place({ name, street, postalCode, city, country, children }: PlaceProps) {
  return (
    <Stack gap={2} component="address" style={{ fontStyle: 'normal' }}>
      {name && <Text fw={600}>{name}</Text>}
      {street && <Text size="sm">{street}</Text>}
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

/** Builds `tel:` and `mailto:` links only: text from a merchant is never used as a URL. */
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
