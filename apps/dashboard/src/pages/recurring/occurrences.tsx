import { Button, Group, Stack, Text } from '@mantine/core';
import type { Occurrence, Recurring } from '@navette/contract';
import { useChange } from '@navette/ui/api/use-change.ts';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { ApiError } from '@navette/ui/api-error';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import styles from './recurring.module.css';
import { recurringListQuery } from './recurring-queries.ts';
import { OccurrenceBadge } from './state-badge.tsx';

export function Upcoming({ recurring: { id, upcoming } }: { recurring: Recurring }) {
  const { t } = useTranslation('recurring');
  const format = useFormat();
  const may = useMay();
  const change = useChange({
    change: ({ day, skipped }: { day: string; skipped: boolean }) =>
      call('setOccurrence', { params: { id, day }, body: { skipped } }),
    done: ({ day, skipped }) => t(skipped ? 'skipped' : 'restored', { day: format.dayOfSlot(day) }),
    queryKey: recurringListQuery.queryKey,
  });
  const isBusy = (day: string) => change.isPending && change.variables.day === day;
  return (
    <Card title={t('upcoming')}>
      <Rows>
        {upcoming.map((occurrence) => {
          const { day, startsAt, state, price } = occurrence;
          const isSkipped = state === 'skipped';
          const named = t(isSkipped ? 'restoreDay' : 'skipDay', { day: format.dayOfSlot(day) });
          return (
            <Row key={day} when={startsAt ? format.dayTime(startsAt) : format.dayOfSlot(day)} occurrence={occurrence}>
              {price !== null && !isSkipped && (
                <Text size="sm" c="dimmed">
                  {format.money(price)}
                </Text>
              )}
              {may('ship') && state !== 'created' && (
                <Button
                  size="compact-sm"
                  variant={isSkipped ? 'light' : 'default'}
                  aria-label={named}
                  loading={isBusy(day)}
                  onClick={() => change.mutate({ day, skipped: !isSkipped })}
                >
                  {t(isSkipped ? 'restore' : 'skip')}
                </Button>
              )}
            </Row>
          );
        })}
      </Rows>
    </Card>
  );
}

export function Past({ past }: Pick<Recurring, 'past'>) {
  const { t } = useTranslation('recurring');
  const format = useFormat();
  return (
    <Card title={t('past')}>
      {past.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('nothingPast')}
        </Text>
      )}
      <Rows>
        {past.map((occurrence) => (
          <Row key={occurrence.day} when={format.dayOfSlot(occurrence.day)} occurrence={occurrence} />
        ))}
      </Rows>
    </Card>
  );
}

const Rows = ({ children }: { children: ReactNode }) => (
  <Stack component="ul" gap={0} p={0} m={0} className={styles.rows ?? ''}>
    {children}
  </Stack>
);

function Row({ when, occurrence, children }: { when: string; occurrence: Occurrence; children?: ReactNode }) {
  const { t } = useTranslation('recurring');
  const explain = useExplainError();
  const { state, shipment, reason } = occurrence;
  const isSkipped = state === 'skipped';
  return (
    <li className={styles.row ?? ''}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" fw={500} c={isSkipped ? 'dimmed' : ''} td={isSkipped ? 'line-through' : ''}>
          {when}
        </Text>
        <Group gap="sm">
          {shipment && (
            <AnchorLink size="sm" to="/shipments/$id" params={{ id: shipment.id }}>
              {t('seeShipment', { reference: shipment.referenceNumber })}
            </AnchorLink>
          )}
          {shipment ? <StatusBadge status={shipment.status} /> : <OccurrenceBadge state={state} />}
          {children}
        </Group>
      </Group>
      {reason && (
        <Text size="sm" c="dimmed" mt={2}>
          {reason === 'SLOT_PASSED' ? t('missedHint') : explain(new ApiError(403, { error: reason }))}
        </Text>
      )}
    </li>
  );
}
