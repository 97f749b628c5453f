import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { CopyButton } from '@navette/ui/parts/copy-button.tsx';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';

/** Requests the secret only when the member reveals it, since each read is logged. */
export function WebhookSecret({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation('developers');
  const explain = useExplainError();
  const reveal = useMutation({ mutationFn: () => call('readWebhookSecret', { params: { id: webhookId } }), gcTime: 0 });
  const secret = reveal.data?.secret;
  return (
    <Stack gap={6}>
      <Text size="sm" c="dimmed">
        {t('webhooks.secretText')}
      </Text>
      <Group gap="xs">
        <Code fz="sm" style={{ overflowWrap: 'anywhere' }} data-secret>
          {secret ?? '••••••••••••••••••••••••'}
        </Code>
        {secret && <CopyButton value={secret} what={t('webhooks.secret')} />}
        <Button
          size="xs"
          variant="default"
          loading={reveal.isPending}
          onClick={() => (secret ? reveal.reset() : reveal.mutate())}
        >
          {t(secret ? 'webhooks.hide' : 'webhooks.reveal')}
        </Button>
      </Group>
      {reveal.isError && (
        <Text size="sm" c="red" role="alert">
          {explain(reveal.error)}
        </Text>
      )}
    </Stack>
  );
}
