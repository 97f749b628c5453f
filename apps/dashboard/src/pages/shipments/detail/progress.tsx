import { Text, Timeline } from '@mantine/core';
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
import { useFormat } from '../../../i18n/use-format.ts';
import { Card } from '../../../shared/card.tsx';
import { When } from '../../../shared/when.tsx';
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

/** What happened, when and why; and what comes next. */
export function Progress({ detail: { shipment, timeline } }: { detail: ShipmentDetail }) {
  const { t } = useTranslation('shipment');
  const format = useFormat();
  const { status, estimatedDeliveryDate: expected, scheduledDelivery } = shipment;
  const over = status === 'delivered' || status === 'cancelled';
  const given = (index: number) => timeline[index]?.status === 'created' && timeline[index - 1]?.status === 'assigned';
  return (
    <Card title={t('timeline')}>
      <Timeline active={timeline.length - 1} bulletSize={28} lineWidth={2}>
        {timeline.map((step, index) => {
          const Icon = ICONS[step.status];
          return (
            <Timeline.Item
              key={`${step.status} ${step.at}`}
              bullet={<Icon size={16} aria-hidden />}
              title={given(index) ? t('backToSearch') : t(`happened.${step.status}`)}
              {...(step.status === 'cancelled' ? { color: 'red' } : {})}
              lineVariant={index === timeline.length - 1 ? 'dashed' : 'solid'}
            >
              <Text size="sm" c="dimmed">
                <When at={step.at} />
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
