import { Accordion, Badge, Button, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import type { DeliverySummary } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { LinesSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../session/session.ts';
import { DeliveryDetail } from './delivery-detail.tsx';
import { deliveriesQuery } from './webhook-queries.ts';

const COLOURS = { pending: 'blue', delivered: 'green', dropped: 'red', cancelled: 'gray' } as const;
const REFRESH_MS = 5_000;

export function Deliveries({ webhookId }: { webhookId: string }) {
  const { t } = useTranslation('developers');
  const common = useTranslation().t;
  const { view } = useSession(); // bodies are not shown to staff of the operator
  const [failedOnly, setFailedOnly] = useState(false);
  const [opened, setOpened] = useState<string | null>(null);
  const deliveries = useInfiniteQuery({ ...deliveriesQuery(webhookId, failedOnly), refetchInterval: REFRESH_MS });
  return (
    <Card
      title={t('webhooks.deliveries')}
      aside={
        <SegmentedControl
          aria-label={t('webhooks.deliveries')}
          value={failedOnly ? 'failed' : 'all'}
          onChange={(value) => setFailedOnly(value === 'failed')}
          data={[
            { value: 'all', label: t('webhooks.all') },
            { value: 'failed', label: t('webhooks.failedOnly') },
          ]}
        />
      }
    >
      <Loaded query={deliveries} skeleton={<LinesSkeleton h={240} />}>
        {({ pages }) => {
          const all = pages.flatMap((page) => page.deliveries);
          if (all.length === 0)
            return <Text c="dimmed">{t(failedOnly ? 'webhooks.noFailed' : 'webhooks.noDeliveries')}</Text>;
          return (
            <Stack>
              <Accordion variant="separated" value={opened} onChange={setOpened} keepMounted={false}>
                {all.map((delivery) => (
                  <Accordion.Item key={delivery.eventId} value={delivery.eventId} data-delivery={delivery.eventId}>
                    <Accordion.Control disabled={view !== null}>
                      <DeliveryLine delivery={delivery} />
                    </Accordion.Control>
                    <Accordion.Panel>
                      <DeliveryDetail webhookId={webhookId} delivery={delivery} />
                    </Accordion.Panel>
                  </Accordion.Item>
                ))}
              </Accordion>
              {deliveries.hasNextPage && (
                <Button
                  variant="default"
                  loading={deliveries.isFetchingNextPage}
                  onClick={() => void deliveries.fetchNextPage()}
                >
                  {common('more')}
                </Button>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Card>
  );
}

function DeliveryLine({ delivery }: { delivery: DeliverySummary }) {
  const { t } = useTranslation('developers');
  return (
    <Group gap="sm" justify="space-between" pr="sm">
      <Group gap="xs">
        <Badge variant="light" color={COLOURS[delivery.status]} tt="none">
          {t(`webhooks.status.${delivery.status}`)}
        </Badge>
        <Code>{delivery.event}</Code>
        {delivery.resends > 0 && (
          <Badge variant="outline" color="gray" tt="none">
            {t('webhooks.resentTimes', { count: delivery.resends })}
          </Badge>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {t('webhooks.attempts', { count: delivery.attempts })} · <When at={delivery.createdAt} as="dateTimeSeconds" />
      </Text>
    </Group>
  );
}
