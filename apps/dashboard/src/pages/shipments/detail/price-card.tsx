import { Text } from '@mantine/core';
import { Card } from '@navette/ui/parts/card.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { useTranslation } from 'react-i18next';
import { PriceSteps } from '../price-steps.tsx';
import type { ShipmentDetail } from '../shipments-queries.ts';

export function PriceCard({ detail: { shipment, priceSteps } }: { detail: ShipmentDetail }) {
  const { t } = useTranslation('shipment');
  return (
    <Card title={t('price')}>
      {priceSteps ? (
        <PriceSteps steps={priceSteps} total={shipment.price} />
      ) : (
        <Text fz="xl" fw={650}>
          <Money euros={shipment.price} />
        </Text>
      )}
      {shipment.status === 'cancelled' && (
        <Text size="sm" c="dimmed">
          {t('refunded')}
        </Text>
      )}
    </Card>
  );
}
