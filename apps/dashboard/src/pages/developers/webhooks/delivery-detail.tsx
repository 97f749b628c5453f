import { Group, Skeleton, Stack, Text, Timeline } from '@mantine/core';
import type { DeliveryAttempt, DeliverySummary } from '@navette/contract';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { CodeBlock } from '../../../shared/code-block.tsx';
import { SentRequest } from './sent-request.tsx';
import { isSuccess, useDescribeOutcome } from './use-describe-outcome.ts';
import { deliveryQuery } from './webhook-queries.ts';

const REFRESH_MS = 1_000; // while further attempts are due

export function DeliveryDetail({ webhookId, delivery }: { webhookId: string; delivery: DeliverySummary }) {
  const { t } = useTranslation('developers');
  const detail = useQuery({
    ...deliveryQuery(webhookId, delivery.eventId),
    refetchInterval: ({ state }) => (state.data?.delivery.status === 'pending' ? REFRESH_MS : false),
  });
  return (
    <Loaded query={detail} skeleton={<Skeleton h={320} />}>
      {({ attempts, url, body }) => (
        <Stack>
          <AnchorLink size="sm" to="/shipments/$id" params={{ id: delivery.shipmentId }}>
            {t('webhooks.openShipment')}
          </AnchorLink>
          {attempts.length === 0 && <Text c="dimmed">{t('webhooks.noAttempts')}</Text>}
          <Timeline bulletSize={26} active={attempts.length}>
            {attempts.map((attempt) => (
              <Timeline.Item
                key={attempt.attempt}
                color={isSuccess(attempt.status) ? 'green' : 'red'}
                bullet={isSuccess(attempt.status) ? <IconCheck size={14} /> : <IconX size={14} />}
                title={t('webhooks.attempt', { n: attempt.attempt })}
                data-attempt={attempt.attempt}
              >
                <Attempt attempt={attempt} url={url} body={body} />
              </Timeline.Item>
            ))}
          </Timeline>
        </Stack>
      )}
    </Loaded>
  );
}

function Attempt({ attempt, url, body }: { attempt: DeliveryAttempt; url: string; body: string }) {
  const { t } = useTranslation('developers');
  const outcome = useDescribeOutcome();
  const { at, durationMs, answer, headers } = attempt;
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {outcome(attempt)}
        </Text>
        <Text size="sm" c="dimmed">
          {durationMs === null ? t('webhooks.unknownDuration') : t('webhooks.inMs', { ms: durationMs })} ·{' '}
          <When at={at} as="dateTimeSeconds" />
        </Text>
      </Group>
      {answer && <CodeBlock code={answer} what={t('webhooks.answer')} mah={160} />}
      {headers ? (
        <SentRequest url={url} headers={headers} body={body} />
      ) : (
        <Text size="sm" c="dimmed">
          {t('webhooks.headersUnknown')}
        </Text>
      )}
    </Stack>
  );
}
