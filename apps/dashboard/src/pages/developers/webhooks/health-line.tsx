import { Group, Text } from '@mantine/core';
import type { WebhookHealth } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useTranslation } from 'react-i18next';

/** The health of the last 24 hours in one line. */
export function HealthLine({ health }: { health: WebhookHealth }) {
  const { t, i18n } = useTranslation('developers');
  const format = useFormat();
  const { lastDeliveredAt, deliveredShare, p95Ms, pending, oldestPendingAt } = health;
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 });
  const parts = [
    lastDeliveredAt
      ? t('webhooks.lastDelivered', { at: format.dateTime(lastDeliveredAt) })
      : t('webhooks.neverDelivered'),
    deliveredShare !== null && t('webhooks.share', { share: percent.format(floor(deliveredShare)) }),
    p95Ms !== null && t('webhooks.p95', { ms: p95Ms }),
    pending > 0 && oldestPendingAt
      ? t('webhooks.pendingSince', { count: pending, at: format.dateTime(oldestPendingAt) })
      : t('webhooks.nothingPending'),
  ];
  return (
    <Group gap="xs" data-health>
      {parts.map(
        (part) =>
          part && (
            <Text key={part} size="sm" c="dimmed">
              {part}
            </Text>
          ),
      )}
    </Group>
  );
}

/** One lost event of ten thousand is not 100 %. */
const floor = (share: number) => Math.floor(share * 1_000) / 1_000;
