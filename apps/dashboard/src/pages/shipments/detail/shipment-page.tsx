import { Alert, Grid, Stack } from '@mantine/core';
import { ApiError } from '@navette/ui/api-error';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { IconEraser, IconPackageOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { isOver, LIVE_EVERY_MS, type ShipmentDetail, shipmentQuery } from '../shipments-queries.ts';
import { Addresses } from './addresses.tsx';
import { DetailHead } from './detail-head.tsx';
import { DetailSkeleton } from './detail-skeleton.tsx';
import { Facts } from './facts.tsx';
import { Incidents } from './incidents.tsx';
import { LabelPreview } from './label-preview.tsx';
import { Metadata } from './metadata.tsx';
import { Notifications } from './notifications.tsx';
import { PriceCard } from './price-card.tsx';
import { Progress } from './progress.tsx';
import { Proofs } from './proofs.tsx';
import { RecipientWords } from './recipient-words.tsx';

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
  const { t } = useTranslation('shipment');
  const format = useFormat();
  const { shipment, personalDataErasedAt: erasedAt } = detail;
  const isErased = erasedAt !== null;
  return (
    <>
      <DetailHead detail={detail} />
      {isErased && (
        <Alert color="gray" icon={<IconEraser />} title={t('erasedOn', { date: format.date(erasedAt) })} mb="lg">
          {t('erasedText')}
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Progress detail={detail} />
            <Incidents incidents={detail.incidents} />
            <RecipientWords recipientNote={detail.recipientNote} reports={detail.reports} />
            <Proofs proofs={detail.proofs} />
            <Addresses shipment={shipment} isErased={isErased} />
            <Facts detail={detail} />
            <Notifications detail={detail} />
            <Metadata metadata={shipment.metadata} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            {!isErased && (
              <LabelPreview id={shipment._id} reference={shipment.referenceNumber} status={shipment.status} />
            )}
            <PriceCard detail={detail} />
          </Stack>
        </Grid.Col>
      </Grid>
    </>
  );
}
