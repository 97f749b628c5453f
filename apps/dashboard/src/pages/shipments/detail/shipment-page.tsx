import { Grid, Stack } from '@mantine/core';
import { IconPackageOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../api/api-error.ts';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { Loaded } from '../../../shared/loaded.tsx';
import { isOver, LIVE_EVERY_MS, type ShipmentDetail, shipmentQuery } from '../shipments-queries.ts';
import { Addresses } from './addresses.tsx';
import { DetailHead } from './detail-head.tsx';
import { DetailSkeleton } from './detail-skeleton.tsx';
import { Facts } from './facts.tsx';
import { LabelPreview } from './label-preview.tsx';
import { Metadata } from './metadata.tsx';
import { PriceCard } from './price-card.tsx';
import { Progress } from './progress.tsx';
import { Told } from './told.tsx';

const route = getRouteApi('/member/shipments/$id');

export default function ShipmentPage() {
  const { t } = useTranslation('shipment');
  const { id } = route.useParams();
  const query = useQuery({
    ...shipmentQuery(id),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.shipment.status) ? false : LIVE_EVERY_MS),
  });
  if (query.error instanceof ApiError && query.error.status === 404) {
    return <EmptyState icon={IconPackageOff} title={t('notFoundTitle')} text={t('notFoundText')} />;
  }
  return (
    <Loaded query={query} skeleton={<DetailSkeleton />}>
      {(detail) => <Detail detail={detail} />}
    </Loaded>
  );
}

function Detail({ detail }: { detail: ShipmentDetail }) {
  const { shipment } = detail;
  return (
    <>
      <DetailHead detail={detail} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Progress detail={detail} />
            <Addresses shipment={shipment} />
            <Facts shipment={shipment} />
            <Told detail={detail} />
            <Metadata metadata={shipment.metadata} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <LabelPreview id={shipment._id} reference={shipment.referenceNumber} status={shipment.status} />
            <PriceCard detail={detail} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
