import { Alert, Button, Group, Select, Stack, Text } from '@mantine/core';
import type { DashboardWebhook, WebhookEvent } from '@navette/contract';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { IconCheck, IconSend, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { CodeBlock } from '../../../shared/code-block.tsx';
import { SentRequest } from './sent-request.tsx';
import { isSuccess, useDescribeOutcome } from './use-describe-outcome.ts';

export function WebhookTest({ webhook }: { webhook: DashboardWebhook }) {
  const { t } = useTranslation('developers');
  const [event, setEvent] = useState<string>(webhook.events[0] ?? 'shipping.created');
  const test = useMutation({
    mutationFn: () => call('testWebhook', { params: { id: webhook.id }, body: { event: event as WebhookEvent } }),
  });
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('webhooks.testText')}
      </Text>
      <Group align="flex-end">
        <Select
          label={t('webhooks.testEvent')}
          allowDeselect={false}
          data={[...webhook.events]}
          value={event}
          onChange={(chosen) => chosen && setEvent(chosen)}
        />
        <Button leftSection={<IconSend size={16} />} loading={test.isPending} onClick={() => test.mutate()}>
          {t('webhooks.test')}
        </Button>
      </Group>
      <FormError error={test.error} />
      {test.data && <TestResult result={test.data} />}
    </Stack>
  );
}

type Result = Awaited<ReturnType<typeof call<'testWebhook'>>>;

function TestResult({ result }: { result: Result }) {
  const { t } = useTranslation('developers');
  const outcome = useDescribeOutcome();
  const { status, durationMs, answer, request } = result;
  const arrived = isSuccess(status);
  const title =
    status === null
      ? t('webhooks.testFailed', { error: outcome(result) })
      : t(arrived ? 'webhooks.testArrived' : 'webhooks.testRefused', { status, ms: durationMs });
  return (
    <Stack gap="sm" data-test-result>
      <Alert color={arrived ? 'green' : 'red'} icon={arrived ? <IconCheck /> : <IconX />} title={title} role="status" />
      {answer && (
        <>
          <Text size="sm" fw={600}>
            {t('webhooks.answer')}
          </Text>
          <CodeBlock code={answer} what={t('webhooks.answer')} mah={160} />
        </>
      )}
      <Text size="sm" fw={600}>
        {t('webhooks.request')}
      </Text>
      <SentRequest {...request} />
    </Stack>
  );
}
