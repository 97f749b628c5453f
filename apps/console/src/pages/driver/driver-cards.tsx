import { Group, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import type { DriverPage, DriverRun, IncidentKind, IncidentResolution } from '@navette/contract';
import { Arrival } from '@navette/ui/parts/arrival.tsx';
import { Card } from '@navette/ui/parts/card.tsx';
import { Fact } from '@navette/ui/parts/fact.tsx';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Money } from '@navette/ui/parts/money.tsx';
import { StatusBadge } from '@navette/ui/parts/status-badge.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../session/session.ts';
import { CorrectPayButton, EndSessionButton } from './driver-acts.tsx';

const Empty = ({ text }: { text: string }) => (
  <Text size="sm" c="dimmed">
    {text}
  </Text>
);

/** Runs, each with a link to its shipment. */
export function RunsCard({ title, empty, runs }: { title: string; empty: string; runs: DriverRun[] }) {
  const { t } = useTranslation('shipment');
  return (
    <Card title={title} aside={<Text fw={700}>{runs.length}</Text>}>
      <Stack gap="sm">
        {runs.length === 0 && <Empty text={empty} />}
        {runs.map(({ id, reference, status, account, from, to, timeSlot, arrival, at }) => (
          <Group key={id} justify="space-between" wrap="nowrap" gap="sm">
            <div style={{ minWidth: 0 }}>
              <AnchorLink to="/shipments/$id" params={{ id }} size="sm" fw={600}>
                {reference}
              </AnchorLink>
              <Text size="xs" c="dimmed" truncate>
                {[account, `${from} → ${to}`, timeSlot].filter(Boolean).join(' · ')}
              </Text>
            </div>
            <Group gap="sm" wrap="nowrap">
              {arrival ? (
                <Text size="xs" c="blue" fw={600} title={t('arrival')}>
                  <Arrival of={arrival} />
                </Text>
              ) : (
                <Text size="xs" c="dimmed">
                  <When at={at} as="time" />
                </Text>
              )}
              <StatusBadge status={status} />
            </Group>
          </Group>
        ))}
      </Stack>
    </Card>
  );
}

/** The latest incidents that the driver reported. */
export function IncidentsCard({ incidents }: Pick<DriverPage, 'incidents'>) {
  const { t } = useTranslation('driver');
  const { t: tShipment } = useTranslation('shipment');
  return (
    <Card title={t('incidents.title')}>
      <Stack gap="sm">
        {incidents.length === 0 && <Empty text={t('incidents.empty')} />}
        {incidents.map(({ id, kind, at, resolution, shipment }) => (
          <div key={id}>
            <Text size="sm" fw={550}>
              {tShipment(`incidentKinds.${kind as IncidentKind}`)} ·{' '}
              <AnchorLink to="/shipments/$id" params={{ id: shipment.id }} size="sm">
                {shipment.reference}
              </AnchorLink>
            </Text>
            <Text size="xs" c="dimmed">
              <When at={at} /> ·{' '}
              {resolution ? tShipment(`story.resolutions.${resolution as IncidentResolution}`) : t('incidents.open')}
            </Text>
          </div>
        ))}
      </Stack>
    </Card>
  );
}

/** Signed-in devices. */
export function SessionsCard({ driverId, sessions }: Pick<DriverPage, 'sessions'> & { driverId: string }) {
  const { t } = useTranslation('driver');
  const may = useMay();
  return (
    <Card title={t('sessions.title')}>
      <Stack gap="sm">
        {sessions.length === 0 && <Empty text={t('sessions.empty')} />}
        {sessions.map(({ id, device, lastUsedAt, expiresAt }) => (
          <Group key={id} justify="space-between" wrap="nowrap" gap="sm">
            <div>
              <Text size="sm" fw={550}>
                {device ?? t('sessions.unknownDevice')}
              </Text>
              <Text size="xs" c="dimmed">
                {t('sessions.used')} <When at={lastUsedAt} /> · {t('sessions.expires')}{' '}
                <When at={expiresAt} as="date" />
              </Text>
            </div>
            {may('dispatch') && <EndSessionButton driverId={driverId} sessionId={id} />}
          </Group>
        ))}
      </Stack>
    </Card>
  );
}

/** Pay of the current month. */
export function PayCard({ driverId, pay }: { driverId: string; pay: NonNullable<DriverPage['pay']> }) {
  const { t } = useTranslation('driver');
  const may = useMay();
  const { total, balance, lastEntry, entries } = pay;
  return (
    <Card title={t('pay.title')} aside={may('money') && <CorrectPayButton driverId={driverId} lastEntry={lastEntry} />}>
      <SimpleGrid component="dl" cols={2} m={0} mb="sm">
        <Fact label={t('pay.total')}>
          <Text span fw={700} fz={20}>
            <Money euros={total} />
          </Text>
        </Fact>
        <Fact label={t('pay.balance')}>
          <Money euros={balance} />
        </Fact>
      </SimpleGrid>
      {entries.length === 0 && <Empty text={t('pay.empty')} />}
      {entries.length > 0 && (
        <Table verticalSpacing={6} aria-label={t('pay.title')}>
          <Table.Tbody>
            {entries.map(({ entry, at, kind, amount, reference }) => (
              <Table.Tr key={entry}>
                <Table.Td>
                  <When at={at} />
                </Table.Td>
                <Table.Td>{reference ?? t(`pay.kinds.${kind as 'correction'}`, { defaultValue: kind })}</Table.Td>
                <Table.Td ta="right">
                  <Money euros={amount} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Card>
  );
}
