import { Alert, Button, Grid, Group, Stack, Text } from '@mantine/core';
import type { Recurring } from '@navette/contract';
import { useChange } from '@navette/ui/api/use-change.ts';
import { ApiError } from '@navette/ui/api-error';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { BackLink, ButtonLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { IconPackageOff, IconPencil, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { Hours } from '../../shared/hours.tsx';
import { Past, Upcoming } from './occurrences.tsx';
import { Problem } from './problem.tsx';
import { recurringListQuery, recurringQuery } from './recurring-queries.ts';
import { RecurringBadge } from './state-badge.tsx';
import { useRuleInWords } from './use-rule-in-words.ts';

const REFRESH_MS = 30_000; // the job runs every minute

const route = getRouteApi('/member/recurring/$id');

export default function RecurringPage() {
  const { t } = useTranslation('recurring');
  const { id } = route.useParams();
  const query = useQuery({ ...recurringQuery(id), refetchInterval: REFRESH_MS });
  if (query.error instanceof ApiError && query.error.status === 404) {
    return <EmptyState icon={IconPackageOff} title={t('notFoundTitle')} text={t('notFoundText')} />;
  }
  return (
    <>
      <BackLink to="/recurring">{t('back')}</BackLink>
      <Loaded query={query} skeleton={<CardSkeleton h={480} />}>
        {({ recurring }) => <Detail recurring={recurring} />}
      </Loaded>
    </>
  );
}

function Detail({ recurring }: { recurring: Recurring }) {
  const { t } = useTranslation('recurring');
  const inWords = useRuleInWords();
  const { recipientName, city, state, timeSlot } = recurring;
  return (
    <>
      <PageTitle
        title={recipientName === null ? t('erased') : `${recipientName}, ${city}`}
        text={
          <Group component="span" gap="xs">
            <RecurringBadge state={state} />
            <span>
              {inWords(recurring)} · <Hours in={timeSlot} />
            </span>
          </Group>
        }
      >
        <Actions recurring={recurring} />
      </PageTitle>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="lg">
            <Problem problem={recurring.problem} />
            {state !== 'active' && <Alert color="gray">{t(state === 'paused' ? 'pausedText' : 'endedText')}</Alert>}
            {state === 'active' && <Upcoming recurring={recurring} />}
            <Past past={recurring.past} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Content recurring={recurring} />
        </Grid.Col>
      </Grid>
    </>
  );
}

function Actions({ recurring: { id, state } }: { recurring: Recurring }) {
  const { t } = useTranslation('recurring');
  const may = useMay();
  const setState = useChange({
    change: (to: Recurring['state']) => call('setRecurringState', { params: { id }, body: { state: to } }),
    done: (to) => t(({ active: 'resumed', paused: 'paused', ended: 'ended' } as const)[to]),
    queryKey: recurringListQuery.queryKey,
  });
  if (!may('ship') || state === 'ended') return null;
  return (
    <>
      <ButtonLink to="/recurring/$id/edit" params={{ id }} variant="default" leftSection={<IconPencil size={16} />}>
        {t('edit')}
      </ButtonLink>
      {state === 'active' ? (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={16} />}
          loading={setState.isPending}
          onClick={() => setState.mutate('paused')}
        >
          {t('pause')}
        </Button>
      ) : (
        <Button
          leftSection={<IconPlayerPlay size={16} />}
          loading={setState.isPending}
          onClick={() => setState.mutate('active')}
        >
          {t('resume')}
        </Button>
      )}
      <ConfirmButton
        title={t('endTitle')}
        text={t('endText')}
        confirm={t('end')}
        onConfirm={() => setState.mutate('ended')}
      >
        {t('end')}
      </ConfirmButton>
    </>
  );
}

function Content({ recurring: { shipment, createdAt, createdBy } }: { recurring: Recurring }) {
  const { t } = useTranslation(['recurring', 'shipment']);
  const format = useFormat();
  const to = shipment?.deliveryAddress;
  return (
    <Card title={t('content')}>
      <Stack gap="sm">
        {shipment && to ? (
          <>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {shipment.parcelDetails.nature},{' '}
              {t('shipment:kilograms', { weight: format.number(shipment.parcelDetails.weight) })}
            </Text>
            <Text size="sm" component="address" fs="normal" style={{ overflowWrap: 'anywhere' }}>
              {to.recipientName}
              <br />
              {to.street}
              <br />
              {to.postalCode} {to.city}
              <br />
              {to.phoneNumber}
              <br />
              {to.email}
            </Text>
            {shipment.notes && (
              <Text size="sm" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {shipment.notes}
              </Text>
            )}
          </>
        ) : (
          <Text size="sm">{t('erased')}</Text>
        )}
        <Text size="sm" c="dimmed">
          <When at={createdAt} as="date" />
          {createdBy && ` · ${t('createdBy', { who: createdBy })}`}
        </Text>
      </Stack>
    </Card>
  );
}
