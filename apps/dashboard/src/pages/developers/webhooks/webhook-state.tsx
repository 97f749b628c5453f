import { Badge } from '@mantine/core';
import type { DashboardWebhook } from '@navette/contract';
import { useTranslation } from 'react-i18next';

export function WebhookState({ webhook }: { webhook: DashboardWebhook }) {
  const { t } = useTranslation('developers');
  const [colour, word] = !webhook.isActive
    ? ([webhook.pauseReason ? 'red' : 'gray', 'paused'] as const)
    : webhook.failingSince
      ? (['red', 'failing'] as const)
      : (['green', 'active'] as const);
  return (
    <Badge variant="light" color={colour} tt="none" style={{ flexShrink: 0 }}>
      {t(`webhooks.${word}`)}
    </Badge>
  );
}
