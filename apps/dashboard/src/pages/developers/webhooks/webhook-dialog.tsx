import { Button, Checkbox, Code, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { DashboardWebhook, WebhookEvent } from '@navette/contract';
import { WEBHOOK_EVENTS } from '@navette/contract/events';
import { useExplainError, useFieldErrors } from '@navette/ui/api/use-explain-error.ts';
import { ApiError } from '@navette/ui/api-error';
import { FormError } from '@navette/ui/parts/form-error.tsx';
import { useReturnFocus } from '@navette/ui/parts/use-return-focus.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { webhooksQuery } from './webhook-queries.ts';

interface Props {
  /** The webhook to edit; absent for a new one. */
  webhook?: DashboardWebhook;
  onClose: () => void;
  onSaved: (webhook: DashboardWebhook) => void;
}

export function WebhookDialog({ webhook, onClose, onSaved }: Props) {
  const { t } = useTranslation('developers');
  const common = useTranslation().t;
  const explain = useExplainError();
  const fieldErrors = useFieldErrors();
  useReturnFocus();
  const cache = useQueryClient();
  const form = useForm({
    initialValues: { url: webhook?.url ?? '', events: (webhook?.events ?? [...WEBHOOK_EVENTS]) as string[] },
    validate: {
      url: (url) => (URL.canParse(url) ? null : t('webhooks.urlText')),
      events: (events) => (events.length > 0 ? null : t('webhooks.eventsMissing')),
    },
  });
  const saving = useMutation({
    mutationFn: ({ url, events }: typeof form.values) => {
      const body = { url: url.trim(), events: events as WebhookEvent[] };
      return webhook ? call('updateWebhook', { params: { id: webhook.id }, body }) : call('createWebhook', { body });
    },
    onSuccess: (answer) => {
      void cache.invalidateQueries({ queryKey: webhooksQuery.queryKey });
      onSaved(answer.webhook);
    },
    // Errors about the URL are shown at its field.
    onError: (error) => form.setErrors(isAboutUrl(error) ? { url: explain(error) } : fieldErrors(error)),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(webhook ? 'webhooks.editTitle' : 'webhooks.createTitle')}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <form onSubmit={form.onSubmit((values) => saving.mutate(values))} noValidate>
        <Stack>
          <FormError error={isAboutUrl(saving.error) ? null : saving.error} />
          <TextInput
            data-autofocus
            withAsterisk
            type="url"
            label={t('webhooks.url')}
            description={t('webhooks.urlText')}
            placeholder="https://boutique.example.org/navette"
            maxLength={2_000}
            autoComplete="off"
            {...form.getInputProps('url')}
          />
          <Checkbox.Group label={t('webhooks.events')} {...form.getInputProps('events')}>
            <Stack gap="xs" mt="xs">
              {WEBHOOK_EVENTS.map((event) => (
                <Checkbox
                  key={event}
                  value={event}
                  label={t(`webhooks.event.${event}`)}
                  description={<Code>{event}</Code>}
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {common('cancel')}
            </Button>
            <Button type="submit" loading={saving.isPending}>
              {webhook ? common('save') : t('webhooks.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

const isAboutUrl = (error: unknown) => error instanceof ApiError && (error.slug ?? '').startsWith('WEBHOOK_URL_');
