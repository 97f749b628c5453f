import { Anchor, Badge, Group, SimpleGrid, Stack } from '@mantine/core';
import type { DriverPage as Page } from '@navette/contract';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { phoneText } from '../../acts/phone.ts';
import { DocumentsCard } from './documents-card.tsx';
import { DriverActs } from './driver-acts.tsx';
import { IncidentsCard, PayCard, RunsCard, SessionsCard } from './driver-cards.tsx';
import { driverQuery } from './driver-query.ts';

/** Everything about one driver: the day, incidents, sessions and pay. */
export default function DriverPage() {
  const { id } = useParams({ from: '/staff/drivers/$id' });
  const query = useQuery(driverQuery(id));
  return (
    <Loaded query={query} skeleton={<CardSkeleton h={640} />}>
      {({ page }) => <Content page={page} />}
    </Loaded>
  );
}

function Content({ page }: { page: Page }) {
  const { t } = useTranslation('driver');
  const { driver, runs, endedToday, incidents, sessions, pay } = page;
  const { id, name } = driver;
  return (
    <>
      <PageTitle title={name} text={<Subtitle driver={driver} />}>
        <DriverActs {...page} />
      </PageTitle>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <Stack gap="md">
          <RunsCard title={t('runs.title')} empty={t('runs.empty')} runs={runs} />
          <RunsCard title={t('ended.title')} empty={t('ended.empty')} runs={endedToday} />
        </Stack>
        <Stack gap="md">
          <DocumentsCard driverId={id} documents={page.documents} />
          <IncidentsCard incidents={incidents} />
          {pay && <PayCard driverId={id} pay={pay} />}
          <SessionsCard driverId={id} sessions={sessions} />
        </Stack>
      </SimpleGrid>
    </>
  );
}

function Subtitle({ driver: { phone, email, available, autoAccept, disabledAt, positionAt } }: Pick<Page, 'driver'>) {
  const { t } = useTranslation('driver');
  const [state, colour] = disabledAt
    ? (['disabled', 'gray'] as const)
    : available
      ? (['available', 'green'] as const)
      : (['unavailable', 'orange'] as const);
  return (
    <Group component="span" gap={8}>
      <Anchor href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phoneText(phone)}</Anchor>
      {email && <span>{email}</span>}
      <Badge component="span" variant="light" color={colour} tt="none">
        {t(`states.${state}`)}
      </Badge>
      <Badge component="span" variant="light" color={positionAt ? 'green' : 'gray'} tt="none">
        {t(positionAt ? 'states.located' : 'states.notLocated')}
      </Badge>
      {autoAccept && (
        <Badge component="span" variant="light" tt="none">
          {t('states.autoAccept')}
        </Badge>
      )}
    </Group>
  );
}
