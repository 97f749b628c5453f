import { Button, Group, Stack, Text, Timeline } from '@mantine/core';
import type { DeliveryAttempt, DeliverySummary } from '@navette/contract';
import { LinesSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { IconCheck, IconRefresh, IconX } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../session/session.ts';
import { CodeBlock } from '../../../shared/code-block.tsx';
import { SentRequest } from './sent-request.tsx';
import { isSuccess, useDescribeOutcome } from './use-describe-outcome.ts';
import { deliveryQuery } from './webhook-queries.ts';

const REFRESH_MS = 1_000; // while further attempts are due
const WAIT_SECONDS = 10;

export function DeliveryDetail({ webhookId, delivery }: { webhookId: string; delivery: DeliverySummary }) {
  const { t } = useTranslation('developers');
  const may = useMay();
  const detail = useQuery({
    ...deliveryQuery(webhookId, delivery.eventId),
    refetchInterval: ({ state }) => (state.data?.delivery.status === 'pending' ? REFRESH_MS : false),
  });
  return (
    <Loaded query={detail} skeleton={<LinesSkeleton h={320} />}>
      {({ delivery: current, attempts, url, body }) => (
        <Stack>
          <Group justify="space-between">
            <AnchorLink size="sm" to="/shipments/$id" params={{ id: delivery.shipmentId }}>
              {t('webhooks.openShipment')}
            </AnchorLink>
            {may('develop') && <ResendButton webhookId={webhookId} delivery={current} />}
          </Group>
          {attempts.length === 0 && <Text c="dimmed">{t('webhooks.noAttempts')}</Text>}
          <Timeline bulletSize={26} active={attempts.length}>
            {attempts.map((attempt) => (
              <Timeline.Item
                key={`${attempt.resend} ${attempt.attempt}`}
                color={isSuccess(attempt.status) ? 'green' : 'red'}
                bullet={isSuccess(attempt.status) ? <IconCheck size={14} /> : <IconX size={14} />}
                title={t(attempt.resend > 0 ? 'webhooks.resentAttempt' : 'webhooks.attempt', {
                  n: attempt.attempt,
                  resend: attempt.resend,
                })}
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

function ResendButton({ webhookId, delivery }: { webhookId: string; delivery: DeliverySummary }) {
  const { t } = useTranslation('developers');
  const cache = useQueryClient();
  const params = { id: webhookId, eventId: delivery.eventId };
  const resend = useMutation({
    mutationFn: () => call('resendWebhookEvent', { params }),
    onSuccess: () => eventuallySent(),
  });
  /** The job starts within a second. Until the log shows it, the button stays busy. */
  async function eventuallySent(): Promise<void> {
    for (let i = 0; i < WAIT_SECONDS; i++) {
      const { delivery: now } = await call('readWebhookDelivery', { params });
      if (now.resends > delivery.resends) break;
      await new Promise((resolve) => setTimeout(resolve, REFRESH_MS));
    }
    await cache.invalidateQueries({ queryKey: ['webhooks', webhookId] });
  }
  return (
    <Stack gap={4} align="flex-end">
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRefresh size={14} />}
        loading={resend.isPending || delivery.status === 'pending'}
        onClick={() => resend.mutate()}
      >
        {t('webhooks.resend')}
      </Button>
      <FormError error={resend.error} />
    </Stack>
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
