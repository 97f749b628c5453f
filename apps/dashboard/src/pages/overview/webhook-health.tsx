import { Group, Stack, Text } from '@mantine/core';
import type { Overview } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { IconCircleCheck, IconCircleX, IconPlugConnected } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useMaySee } from '../../session/session.ts';

/** Whether the merchant's systems receive their events. */
export function WebhookHealth({ webhooks }: { webhooks: Overview['webhooks'] }) {
  const { t } = useTranslation('overview');
  const format = useFormat();
  const mayOpen = useMaySee()('develop');
  const { active, delivered, dropped, failing, paused } = webhooks;
  if (active + paused.length === 0) {
    return (
      <Stack gap="xs" align="flex-start">
        <IconPlugConnected size={28} stroke={1.4} aria-hidden />
        <Text size="sm">{t('webhooks.none')}</Text>
        {mayOpen && <AnchorLink to="/developers/webhooks">{t('webhooks.create')}</AnchorLink>}
      </Stack>
    );
  }
  const settled = delivered + dropped;
  const problems = [
    ...failing.map((webhook) => ({ ...webhook, word: 'webhooks.failingSince' as const })),
    ...paused.map((webhook) => ({ ...webhook, word: 'webhooks.pausedSince' as const })),
  ];
  const Icon = problems.length > 0 ? IconCircleX : IconCircleCheck;
  const colour = problems.length > 0 ? 'red' : 'green';
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
      {problems.map(({ id, url, since, word }) => (
        <Text key={id} size="sm">
          {mayOpen ? (
            <AnchorLink to="/developers/webhooks/$id" params={{ id }}>
              {url}
            </AnchorLink>
          ) : (
            url
          )}
          <br />
          <Text span size="xs" c="dimmed">
            {t(word)} <When at={since} />
          </Text>
        </Text>
      ))}
      {problems.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('webhooks.active', { count: active })}
        </Text>
      )}
    </Stack>
  );
}
