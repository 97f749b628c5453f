import { Text, Timeline } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import {
  IconBan,
  IconCalendar,
  IconCircleCheck,
  IconDots,
  IconHandGrab,
  IconPackage,
  IconTruck,
  IconUser,
} from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ShipmentDetail } from '../shipments-queries.ts';

const ICONS = {
  programmed: IconCalendar,
  created: IconPackage,
  assigned: IconUser,
  picked_up: IconHandGrab,
  in_transit: IconTruck,
  delivered: IconCircleCheck,
  cancelled: IconBan,
};

/** Timeline of status changes, and the next step. */
export function Progress({ detail: { shipment, timeline } }: { detail: ShipmentDetail }) {
  const { t } = useTranslation('shipment');
  const format = useFormat();
  const { status, estimatedDeliveryDate: expected, scheduledDelivery } = shipment;
  const over = status === 'delivered' || status === 'cancelled';
  const isGivenBack = (index: number) =>
    timeline[index]?.status === 'created' && timeline[index - 1]?.status === 'assigned';
  return (
    <Card title={t('timeline')}>
      <Timeline active={timeline.length - 1} bulletSize={28} lineWidth={2}>
        {timeline.map((step, index) => {
          const Icon = ICONS[step.status];
          return (
            <Timeline.Item
              key={`${step.status} ${step.at}`}
              bullet={<Icon size={16} aria-hidden />}
              title={isGivenBack(index) ? t('backToSearch') : t(`happened.${step.status}`)}
              {...(step.status === 'cancelled' ? { color: 'red' } : {})}
              lineVariant={index === timeline.length - 1 ? 'dashed' : 'solid'}
            >
              <Text size="sm" c="dimmed">
                <When at={step.doneAt ?? step.at} />
                {step.doneAt && `, ${t('receivedAt', { time: format.time(step.at) })}`}
                {step.by && ` · ${t('cancelledBy', { who: step.by })}`}
              </Text>
              {step.reason && <Text size="sm">{t('cancelReason', { reason: step.reason })}</Text>}
            </Timeline.Item>
          );
        })}
        {!over && (
          <Timeline.Item bullet={<IconDots size={16} aria-hidden />} title={t('next')}>
            <Text size="sm">{t(`comesNext.${status}`)}</Text>
            {expected && scheduledDelivery.date && (
              <Text size="sm" c="dimmed">
                {t('expected', { when: format.dateTime(expected) })}
              </Text>
            )}
          </Timeline.Item>
        )}
      </Timeline>
    </Card>
  );
}
