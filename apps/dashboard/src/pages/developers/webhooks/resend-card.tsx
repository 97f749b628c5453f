import { Button, Group, Progress, Select, Stack, Text, TextInput } from '@mantine/core';
import type { WebhookResend } from '@navette/contract';
import { RESENDABLE_DAYS } from '@navette/contract/limits';
import { timeZone } from '@navette/ui/formats';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { instantOf, localTimeOf } from '@navette/ui/local-time';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { resendsQuery } from './webhook-queries.ts';

const REFRESH_MS = 2_000;
const DAY_MS = 86_400_000;

/** Sends the events of a period again, and shows the progress of the latest requests. */
export function ResendCard({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation('developers');
  const cache = useQueryClient();
  const [since, setSince] = useState(() => localTimeOf(new Date(Date.now() - DAY_MS), timeZone));
  const [inAMinute] = useState(() => new Date(Date.now() + 60_000));
  const [until, setUntil] = useState(localTimeOf(inAMinute, timeZone));
  const [scope, setScope] = useState<'lost' | 'all'>('lost');
  const resends = useQuery({
    ...resendsQuery(webhookId),
    refetchInterval: ({ state }) => (state.data?.some((resend) => resend.state === 'running') ? REFRESH_MS : false),
  });
  const start = useMutation({
    mutationFn: () => {
      const from = instantOf(since, timeZone);
      // An untouched end is known exactly: in the hour that a clock change repeats, its local time is not.
      const to = until === localTimeOf(inAMinute, timeZone) ? inAMinute : instantOf(until, timeZone);
      const body = { since: (from ?? new Date()).toISOString(), until: (to ?? new Date(0)).toISOString(), scope };
      return call('resendWebhookPeriod', { params: { id: webhookId }, body });
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: ['webhooks', webhookId] }),
  });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('webhooks.resendText', { days: RESENDABLE_DAYS })}
      </Text>
      <Group align="flex-end">
        <TextInput
          type="datetime-local"
          label={t('webhooks.resendSince')}
          value={since}
          onChange={(event) => setSince(event.currentTarget.value)}
        />
        <TextInput
          type="datetime-local"
          label={t('webhooks.resendUntil')}
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <Select
          label={t('webhooks.resendScope')}
          allowDeselect={false}
          data={[
            { value: 'lost', label: t('webhooks.scope.lost') },
            { value: 'all', label: t('webhooks.scope.all') },
          ]}
          value={scope}
          onChange={(chosen) => setScope(chosen === 'all' ? 'all' : 'lost')}
        />
        <Button leftSection={<IconRefresh size={16} />} loading={start.isPending} onClick={() => start.mutate()}>
          {t('webhooks.resend')}
        </Button>
      </Group>
      <FormError error={start.error} />
      {resends.data
        ?.filter(({ eventId }) => eventId === null)
        .slice(0, 3)
        .map((resend) => (
          <ResendProgress key={resend.id} webhookId={webhookId} resend={resend} />
        ))}
    </Stack>
  );
}

function ResendProgress({ webhookId, resend }: { webhookId: string; resend: WebhookResend }) {
  const { t } = useTranslation('developers');
  const format = useFormat();
  const cache = useQueryClient();
  const stop = useMutation({
    mutationFn: () => call('cancelWebhookResend', { params: { id: webhookId, resendId: resend.id } }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['webhooks', webhookId] }),
  });
  const { state, sent, inProgress, unavailable, since, until, handledUntil } = resend;
  const [from, to, at] = [since, until, handledUntil].map((instant) => Date.parse(instant)) as [number, number, number];
  const title = t(`webhooks.resendState.${state}`, { from: format.dateTime(since), to: format.dateTime(until) });
  return (
    <Stack gap={4} data-resend={state} role="status">
      <Group justify="space-between">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {state === 'running' && (
          <Button size="xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
            {t('webhooks.resendStop')}
          </Button>
        )}
      </Group>
      {state === 'running' && <Progress value={(100 * (at - from)) / (to - from)} aria-label={title} />}
      <Text size="sm" c="dimmed">
        {t('webhooks.resendSent', { count: sent })}
        {inProgress > 0 && ` · ${t('webhooks.resendInProgress', { count: inProgress })}`}
        {unavailable > 0 && ` · ${t('webhooks.resendUnavailable', { count: unavailable })}`}
      </Text>
      {state === 'done' && at < to && (
        <Text size="sm">{t('webhooks.resendLimit', { at: format.dateTime(handledUntil) })}</Text>
      )}
    </Stack>
  );
}
