import { Box, Group, Text } from '@mantine/core';
import type { DashboardWebhook } from '@navette/contract';
import { useTranslation } from 'react-i18next';

type Latest = DashboardWebhook['latest'];

const COLOURS: Record<Latest[number]['status'], string> = {
  delivered: 'var(--mantine-color-green-6)',
  dropped: 'var(--mantine-color-red-6)',
  pending: 'var(--mantine-color-blue-5)',
  cancelled: 'var(--mantine-color-gray-5)',
};

/** One bar per recent delivery, oldest on the left. Failed ones are shorter as well, for readers who cannot tell the colours apart. */
export function HealthStrip({ latest }: { latest: Latest }) {
  const { t } = useTranslation('developers');
  if (latest.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('webhooks.nothingSent')}
      </Text>
    );
  }
  const count = (state: string) => latest.filter(({ status }) => status === state).length;
  const label = t('webhooks.health', { delivered: count('delivered'), dropped: count('dropped') });
  return (
    <Group gap={3} h={22} align="flex-end" wrap="nowrap" role="img" aria-label={label} title={label}>
      {latest.toReversed().map(({ status, at }, i) => (
        <Box
          // biome-ignore lint/suspicious/noArrayIndexKey: two deliveries may have ended at the same instant
          key={`${at} ${i}`}
          w={6}
          h={status === 'dropped' ? 10 : 20}
          bg={COLOURS[status]}
          style={{ borderRadius: 2 }}
        />
      ))}
    </Group>
  );
}
