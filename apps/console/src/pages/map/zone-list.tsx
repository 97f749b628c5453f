import { Button, Group, Stack, Text } from '@mantine/core';
import type { MapPoint, Zone } from '@navette/contract';
import { useChange } from '@navette/ui/api/use-change.ts';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';

interface Props {
  zones: Zone[];
  onShow: (place: MapPoint) => void;
  onBegin: () => void;
}

/** The zones in which no run is offered. */
export function ZoneList({ zones, onShow, onBegin }: Props) {
  const { t } = useTranslation('map');
  const lift = useChange({
    change: ({ id }: Zone) => call('liftZone', { params: { id } }),
    done: ({ reason }) => t('zones.lifted', { reason }),
    queryKey: ['map', 'zones'],
  });
  return (
    <Stack p="xs" gap="sm">
      <Button onClick={onBegin}>{t('zones.begin')}</Button>
      {zones.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('zones.none')}
        </Text>
      )}
      {zones.map((zone) => (
        <Stack key={zone.id} gap={4}>
          <Text size="sm" fw={600}>
            {zone.reason}
          </Text>
          <Text size="xs" c="dimmed">
            {t('zones.until')} <When at={zone.endsAt} /> · {t('zones.waiting', { count: zone.waiting })} ·{' '}
            {zone.createdBy}
          </Text>
          <Group gap="xs">
            <Button variant="default" size="compact-sm" onClick={() => zone.corners[0] && onShow(zone.corners[0])}>
              {t('zones.show')}
            </Button>
            <ConfirmButton
              title={t('zones.askLift', { reason: zone.reason })}
              text={t('zones.liftText')}
              confirm={t('zones.lift')}
              onConfirm={() => lift.mutate(zone)}
              loading={lift.isPending}
            >
              {t('zones.lift')}
            </ConfirmButton>
          </Group>
        </Stack>
      ))}
    </Stack>
  );
}
