import { Button, Code, Group, Stack, Text } from '@mantine/core';
import type { DashboardWebhook } from '@navette/contract';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { CopyButton } from '@navette/ui/parts/copy-button.tsx';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';

/** Requests the secret only when the member reveals it, since each read is logged. */
export function WebhookSecret({ webhook: { id, nextSecretAt } }: { webhook: DashboardWebhook }) {
  const { t } = useTranslation('developers');
  const format = useFormat();
  const cache = useQueryClient();
  const params = { id };
  const reveal = useMutation({ mutationFn: () => call('readWebhookSecret', { params }), gcTime: 0 });
  const onSuccess = async () => {
    await cache.invalidateQueries({ queryKey: ['webhooks'] });
    if (reveal.data) reveal.mutate();
  };
  const rotation = useMutation({
    mutationFn: () => call('rotateWebhookSecret', { params }),
    onSuccess: async () => {
      await cache.invalidateQueries({ queryKey: ['webhooks'] });
      reveal.mutate();
    },
    gcTime: 0,
  });
  const change = useMutation({
    mutationFn: (act: 'switchWebhookSecret' | 'cancelWebhookRotation') => call(act, { params }),
    onSuccess,
  });
  const shown = reveal.data;
  return (
    <Stack gap={6}>
      <Text size="sm" c="dimmed">
        {t('webhooks.secretText')}
      </Text>
      <Group gap="xs">
        <Secret value={shown?.secret} name="current" label={t('webhooks.secret')} />
        <Button
          size="xs"
          variant="default"
          loading={reveal.isPending}
          onClick={() => (shown ? reveal.reset() : reveal.mutate())}
        >
          {t(shown ? 'webhooks.hide' : 'webhooks.reveal')}
        </Button>
        {!nextSecretAt && (
          <ConfirmButton
            size="xs"
            loading={rotation.isPending}
            title={t('webhooks.rotateTitle')}
            text={t('webhooks.rotateText')}
            confirm={t('webhooks.rotate')}
            onConfirm={() => rotation.mutate()}
          >
            {t('webhooks.rotate')}
          </ConfirmButton>
        )}
      </Group>
      {nextSecretAt && (
        <Stack gap={6} mt="xs" data-rotation>
          <Text size="sm" fw={600}>
            {t('webhooks.nextSecret', { at: format.dateTime(nextSecretAt) })}
          </Text>
          <Text size="sm" c="dimmed">
            {t('webhooks.nextSecretText')}
          </Text>
          <Group gap="xs">
            <Secret value={shown?.nextSecret ?? undefined} name="next" label={t('webhooks.nextSecretLabel')} />
            <ConfirmButton
              size="xs"
              loading={change.isPending}
              title={t('webhooks.switchTitle')}
              text={t('webhooks.switchText')}
              confirm={t('webhooks.switch')}
              onConfirm={() => change.mutate('switchWebhookSecret')}
            >
              {t('webhooks.switch')}
            </ConfirmButton>
            <Button
              size="xs"
              variant="subtle"
              loading={change.isPending}
              onClick={() => change.mutate('cancelWebhookRotation')}
            >
              {t('webhooks.rotationCancel')}
            </Button>
          </Group>
        </Stack>
      )}
      <FormError error={reveal.error ?? rotation.error ?? change.error} />
    </Stack>
  );
}

function Secret({ value, name, label }: { value: string | undefined; name: 'current' | 'next'; label: string }) {
  return (
    <>
      <Code fz="sm" style={{ overflowWrap: 'anywhere' }} data-secret={name}>
        {value ?? '••••••••••••••••••••••••'}
      </Code>
      {value && <CopyButton value={value} what={label} />}
    </>
  );
}
