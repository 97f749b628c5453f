import { Alert, Badge, Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { DashboardWebhook } from '@navette/contract';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { BackLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useMay, useSession } from '../../../session/session.ts';
import { Deliveries } from './deliveries.tsx';
import { HealthLine } from './health-line.tsx';
import { HealthStrip } from './health-strip.tsx';
import { ResendCard } from './resend-card.tsx';
import { Verification } from './verification.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { WebhookFault } from './webhook-fault.tsx';
import { webhookQuery, webhooksQuery } from './webhook-queries.ts';
import { WebhookSecret } from './webhook-secret.tsx';
import { WebhookState } from './webhook-state.tsx';
import { WebhookTest } from './webhook-test.tsx';

const REFRESH_MS = 5_000;

export default function WebhookPage() {
  const { t } = useTranslation('developers');
  const { id } = useParams({ from: '/member/developers/webhooks/$id' });
  const webhook = useQuery({ ...webhookQuery(id), refetchInterval: REFRESH_MS });
  return (
    <>
      <BackLink to="/developers/webhooks">{t('webhooks.back')}</BackLink>
      <Loaded query={webhook} skeleton={<CardSkeleton h={720} />}>
        {(found) => <Detail webhook={found} />}
      </Loaded>
    </>
  );
}

function Detail({ webhook }: { webhook: DashboardWebhook }) {
  const { t } = useTranslation('developers');
  const format = useFormat();
  const may = useMay();
  const { mode } = useSession();
  return (
    <>
      <PageTitle title={webhook.url}>{may('develop') && <Actions webhook={webhook} />}</PageTitle>
      <Stack gap="lg">
        {webhook.isActive && webhook.failingSince && (
          <Alert color="red" icon={<IconAlertTriangle />}>
            {t('webhooks.failingSince', { at: format.dateTime(webhook.failingSince) })}
          </Alert>
        )}
        {webhook.pausedAt && webhook.pauseReason && (
          <Alert
            color="red"
            icon={<IconAlertTriangle />}
            title={t('webhooks.pausedByService', { at: format.dateTime(webhook.pausedAt) })}
          >
            {t(`webhooks.pauseReason.${webhook.pauseReason}`)}
          </Alert>
        )}
        <Group justify="space-between">
          <Group gap={6}>
            <WebhookState webhook={webhook} />
            {webhook.events.map((event) => (
              <Badge key={event} variant="default" tt="none" fw={500}>
                {event}
              </Badge>
            ))}
          </Group>
          <HealthStrip latest={webhook.latest} />
        </Group>
        <HealthLine health={webhook.health} />
        {may('develop') && (
          <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
            <Card title={t('webhooks.secret')}>
              <WebhookSecret webhook={webhook} />
            </Card>
            <Card title={t('webhooks.testTitle')}>
              <WebhookTest webhook={webhook} />
            </Card>
            {mode === 'test' && (
              <Card title={t('webhooks.fault.title')}>
                <WebhookFault webhook={webhook} />
              </Card>
            )}
          </SimpleGrid>
        )}
        {may('develop') && (
          <Card title={t('webhooks.resendTitle')}>
            <ResendCard webhookId={webhook.id} />
          </Card>
        )}
        <Deliveries webhookId={webhook.id} />
        <Card title={t('webhooks.verify')}>
          <Verification />
        </Card>
      </Stack>
    </>
  );
}

function Actions({ webhook }: { webhook: DashboardWebhook }) {
  const { t } = useTranslation('developers');
  const explain = useExplainError();
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [isEditing, setEditing] = useState(false);
  const onError = (error: unknown) => notifications.show({ message: explain(error), color: 'red' });
  const pausing = useMutation({
    mutationFn: () => call('updateWebhook', { params: { id: webhook.id }, body: { isActive: !webhook.isActive } }),
    onSuccess: (answer) => {
      const word = answer.webhook.isActive ? 'webhooks.resumedDone' : 'webhooks.pausedDone';
      notifications.show({ message: t(word), color: 'green' });
      return cache.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    },
    onError,
  });
  const removal = useMutation({
    mutationFn: () => call('deleteWebhook', { params: { id: webhook.id } }),
    onSuccess: async () => {
      notifications.show({ message: t('webhooks.deleted'), color: 'green' });
      await navigate({ to: '/developers/webhooks' });
      cache.removeQueries({ queryKey: webhookQuery(webhook.id).queryKey });
      await cache.invalidateQueries({ queryKey: webhooksQuery.queryKey });
    },
    onError,
  });
  return (
    <>
      <Button variant="default" onClick={() => setEditing(true)}>
        {t('webhooks.edit')}
      </Button>
      <Button variant="default" loading={pausing.isPending} onClick={() => pausing.mutate()}>
        {t(webhook.isActive ? 'webhooks.pause' : 'webhooks.resume')}
      </Button>
      <ConfirmButton
        variant="light"
        color="red"
        loading={removal.isPending}
        title={t('webhooks.deleteTitle')}
        text={t('webhooks.deleteText')}
        confirm={t('webhooks.delete')}
        onConfirm={() => removal.mutate()}
      >
        {t('webhooks.delete')}
      </ConfirmButton>
      {isEditing && (
        <WebhookDialog
          webhook={webhook}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false);
            notifications.show({ message: t('webhooks.savedDone'), color: 'green' });
          }}
        />
      )}
    </>
  );
}
