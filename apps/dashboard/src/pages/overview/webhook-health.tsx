import { Group, Stack, Text } from '@mantine/core';
import type { Overview } from '@navette/contract';
import { IconCircleCheck, IconCircleX, IconPlugConnected } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../i18n/use-format.ts';
import { AnchorLink } from '../../shared/links.tsx';
import { When } from '../../shared/when.tsx';

/** Whether the merchant's own systems hear of what happens. */
export function WebhookHealth({ webhooks }: { webhooks: Overview['webhooks'] }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const { active, delivered, dropped, failing } = webhooks;
  if (active === 0) {
    return (
      <Stack gap="xs" align="flex-start">
        <IconPlugConnected size={28} stroke={1.4} aria-hidden />
        <Text size="sm">{t('webhooks.none')}</Text>
        <AnchorLink to="/developers/webhooks">{t('webhooks.create')}</AnchorLink>
      </Stack>
    );
  }
  const settled = delivered + dropped;
  const Icon = failing.length > 0 ? IconCircleX : IconCircleCheck;
  const colour = failing.length > 0 ? 'red' : 'green';
  return (
    <Stack gap="sm">
      <Group gap="sm" wrap="nowrap">
        <Icon size={28} stroke={1.6} color={`var(--mantine-color-${colour}-text)`} aria-hidden />
        <div>
          <Text fz={26} fw={650} lh={1.2}>
            {settled > 0 ? format.percent(delivered / settled) : '—'}
          </Text>
          <Text size="sm" c="dimmed">
            {settled > 0 ? t('webhooks.delivered', { delivered, count: settled }) : t('webhooks.quiet')}
          </Text>
        </div>
      </Group>
      {failing.map(({ id, url, since }) => (
        <Text key={id} size="sm">
          <AnchorLink to="/developers/webhooks/$id" params={{ id }}>
            {url}
          </AnchorLink>
          <br />
          <Text span size="xs" c="dimmed">
            {t('webhooks.failingSince')} <When at={since} />
          </Text>
        </Text>
      ))}
      {failing.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('webhooks.active', { count: active })}
        </Text>
      )}
    </Stack>
  );
}
