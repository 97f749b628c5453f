import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import type { DashboardWebhook } from '@navette/contract';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { AnchorLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../session/session.ts';
import { CardList } from '../card-list.tsx';
import { HealthLine } from './health-line.tsx';
import { HealthStrip } from './health-strip.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { webhooksQuery } from './webhook-queries.ts';
import { WebhookState } from './webhook-state.tsx';

const REFRESH_MS = 10_000;

export default function WebhooksPage() {
  const { t } = useTranslation('developers');
  const navigate = useNavigate();
  const may = useMay();
  const webhooks = useQuery({ ...webhooksQuery, refetchInterval: REFRESH_MS });
  const [isAdding, setAdding] = useState(false);
  const add = may('develop') && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => setAdding(true)}>
      {t('webhooks.create')}
    </Button>
  );
  return (
    <>
      <PageTitle title={t('webhooks.title')} text={t('webhooks.text')}>
        {webhooks.data?.webhooks.length !== 0 && add}
      </PageTitle>
      <Loaded query={webhooks} skeleton={<CardSkeleton h={320} />}>
        {({ webhooks: all }) =>
          all.length === 0 ? (
            <Paper withBorder>
              <EmptyState icon={IconWebhook} title={t('webhooks.emptyTitle')} text={t('webhooks.emptyText')}>
                {add}
              </EmptyState>
            </Paper>
          ) : (
            <CardList>
              {all.map((webhook) => (
                <WebhookCard key={webhook.id} webhook={webhook} />
              ))}
            </CardList>
          )
        }
      </Loaded>
      {isAdding && (
        <WebhookDialog
          onClose={() => setAdding(false)}
          onSaved={({ id }) => void navigate({ to: '/developers/webhooks/$id', params: { id } })}
        />
      )}
    </>
  );
}

function WebhookCard({ webhook }: { webhook: DashboardWebhook }) {
  return (
    <Paper component="li" withBorder p="md">
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={8} style={{ minWidth: 0, flex: '1 1 260px' }}>
          <Group gap="xs" wrap="nowrap">
            <AnchorLink fw={600} style={{ minWidth: 0 }} to="/developers/webhooks/$id" params={{ id: webhook.id }}>
              <Text span inherit style={{ overflowWrap: 'anywhere' }}>
                {webhook.url}
              </Text>
            </AnchorLink>
            <WebhookState webhook={webhook} />
          </Group>
          <Group gap={6}>
            {webhook.events.map((event) => (
              <Badge key={event} variant="default" tt="none" fw={500}>
                {event}
              </Badge>
            ))}
          </Group>
          <HealthLine health={webhook.health} />
        </Stack>
        <HealthStrip latest={webhook.latest} />
      </Group>
    </Paper>
  );
}
