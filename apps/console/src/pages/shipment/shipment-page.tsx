import { Badge, Group, Stack } from '@mantine/core';
import type { IncidentKind, ShipmentPage as Shipment } from '@navette/contract';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CloseReportButton } from './close-report-button.tsx';
import classes from './shipment.module.css';
import { ShipmentActs } from './shipment-acts.tsx';
import { ShipmentFacts } from './shipment-facts.tsx';
import { shipmentQuery } from './shipment-query.ts';
import { Story } from './story.tsx';

/** Everything about one shipment: facts, acts, and all that happened to it on one time line. */
export default function ShipmentPage() {
  const { id } = useParams({ from: '/staff/shipments/$id' });
  const query = useQuery(shipmentQuery(id));
  return (
    <Loaded query={query} skeleton={<CardSkeleton h={640} />}>
      {({ shipment, story }) => <Content shipment={shipment} story={story} />}
    </Loaded>
  );
}

function Content({ shipment, story }: { shipment: Shipment; story: Parameters<typeof Story>[0]['story'] }) {
  const { t } = useTranslation('shipment');
  return (
    <>
      <PageTitle title={t('title', { reference: shipment.reference })} text={<Flags shipment={shipment} />}>
        <CloseReportButton shipment={shipment} />
        <ShipmentActs shipment={shipment} />
      </PageTitle>
      <div className={classes.columns}>
        <Story story={story} id={shipment.id} reference={shipment.reference} />
        <Stack gap="md">
          <ShipmentFacts shipment={shipment} />
        </Stack>
      </div>
    </>
  );
}

function Flags({ shipment }: { shipment: Shipment }) {
  const { t } = useTranslation('shipment');
  const incident = shipment.incident && t(`incidentKinds.${shipment.incident as IncidentKind}`);
  const flags = [
    shipment.isLate && t('flags.late'),
    shipment.isCodeLocked && t('flags.codeLocked'),
    shipment.isReturned && t('flags.returned'),
    shipment.hasOpenReport && t('flags.report'),
    incident && t('flags.incident', { incident }),
  ].filter((flag) => typeof flag === 'string');
  return (
    <Group component="span" gap={6}>
      <StatusBadge status={shipment.status} />
      {flags.map((flag) => (
        <Badge key={flag} component="span" variant="filled" color="red.8" tt="none">
          {flag}
        </Badge>
      ))}
    </Group>
  );
}
