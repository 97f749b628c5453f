import { Select, Stack, Text } from '@mantine/core';
import type { DashboardWebhook, TestFault } from '@navette/contract';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { webhookQuery } from './webhook-queries.ts';

const CHOICES = [
  ...['none', 'twice', 'out_of_order', 'late', 'bad_signature', 'old_timestamp', 'three_failures'],
] as readonly (TestFault | 'none')[];

/** Test mode: lets the webhook send its events with a fault. */
export function WebhookFault({ webhook }: { webhook: DashboardWebhook }) {
  const { t } = useTranslation('developers');
  const cache = useQueryClient();
  const setting = useMutation({
    mutationFn: (chosen: TestFault | 'none') =>
      call('setWebhookFault', { params: { id: webhook.id }, body: { fault: chosen === 'none' ? null : chosen } }),
    onSuccess: (answer) => cache.setQueryData(webhookQuery(webhook.id).queryKey, answer.webhook),
  });
  const fault = webhook.fault ?? 'none';
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('webhooks.fault.text')}
      </Text>
      <Select
        label={t('webhooks.fault.label')}
        description={t(`webhooks.fault.effect.${fault}`)}
        allowDeselect={false}
        disabled={setting.isPending}
        data={CHOICES.map((value) => ({ value, label: t(`webhooks.fault.name.${value}`) }))}
        value={fault}
        onChange={(chosen) => chosen && setting.mutate(chosen)}
      />
      <FormError error={setting.error} />
    </Stack>
  );
}
