import { Group, Paper, Text, ThemeIcon } from '@mantine/core';
import type { Notification } from '@navette/contract';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { AnchorLink, ButtonLink } from '@navette/ui/parts/links.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import {
  type IconBell,
  IconBellOff,
  IconFileImport,
  IconFileInvoice,
  IconKey,
  IconPackageOff,
  IconRepeat,
  IconWallet,
  IconWebhook,
} from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { notificationsQuery } from '../../layout/notifications-query.ts';
import { CardList } from '../developers/card-list.tsx';

interface Target {
  to: string;
  params?: { id: string };
}

const LOOKS: Record<Notification['kind'], { icon: typeof IconBell; colour: string; page: (id: string) => Target }> = {
  'webhook-failing': { icon: IconWebhook, colour: 'orange', page: (id) => webhook(id) },
  'webhook-paused': { icon: IconWebhook, colour: 'red', page: (id) => webhook(id) },
  'key-expiring': { icon: IconKey, colour: 'orange', page: () => ({ to: '/developers/keys' }) },
  incident: { icon: IconPackageOff, colour: 'orange', page: (id) => ({ to: '/shipments/$id', params: { id } }) },
  'recurring-refused': { icon: IconRepeat, colour: 'orange', page: (id) => ({ to: '/recurring/$id', params: { id } }) },
  'import-finished': {
    icon: IconFileImport,
    colour: 'blue',
    page: (id) => ({ to: '/shipments/import/$id', params: { id } }),
  },
  'balance-low': { icon: IconWallet, colour: 'orange', page: () => ({ to: '/account' }) },
  'balance-empty': { icon: IconWallet, colour: 'red', page: () => ({ to: '/account' }) },
  'invoice-issued': { icon: IconFileInvoice, colour: 'blue', page: () => ({ to: '/account/invoices' }) },
};

const webhook = (id: string): Target => ({ to: '/developers/webhooks/$id', params: { id } });

export default function NotificationsPage() {
  const { t } = useTranslation('notifications');
  const query = useQuery(notificationsQuery);
  useMarkAsRead(query.data?.notifications);
  return (
    <>
      <PageTitle title={t('title')} text={t('text')}>
        <ButtonLink to="/profile" hash="notifications" variant="default">
          {t('choose')}
        </ButtonLink>
      </PageTitle>
      <Loaded query={query} skeleton={<CardSkeleton h={240} />}>
        {({ notifications }) =>
          notifications.length === 0 ? (
            <Paper withBorder>
              <EmptyState icon={IconBellOff} title={t('emptyTitle')} text={t('emptyText')} />
            </Paper>
          ) : (
            <CardList>
              {notifications.map((one) => (
                <Entry key={one.id} notification={one} />
              ))}
            </CardList>
          )
        }
      </Loaded>
    </>
  );
}

function Entry({ notification: { kind, title, target, at, isRead } }: { notification: Notification }) {
  const { t } = useTranslation('notifications');
  const { icon: Icon, colour, page } = LOOKS[kind];
  return (
    <Paper component="li" withBorder px="md" py="sm">
      <Group wrap="nowrap" gap="md" align="flex-start">
        <ThemeIcon variant="light" color={colour} size={34} radius="xl">
          <Icon size={18} stroke={1.7} aria-hidden />
        </ThemeIcon>
        <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
          <AnchorLink {...(page(target ?? '') as { to: '/' })} fw={isRead ? 500 : 700}>
            {t(`kinds.${kind}`, { title: title ?? '' })}
          </AnchorLink>
          <Text size="xs" c="dimmed">
            <When at={at} />
            {!isRead && ` · ${t('new')}`}
          </Text>
        </div>
      </Group>
    </Paper>
  );
}

/** Once the list is shown. The marks of this visit stay until the next. */
function useMarkAsRead(shown: Notification[] | undefined) {
  const queryClient = useQueryClient();
  const marked = useRef<string | null>(null);
  const { mutate } = useMutation({
    mutationFn: (until: string) => call('markNotificationsRead', { body: { until } }),
    onSuccess: async () => {
      await queryClient.cancelQueries({ queryKey: notificationsQuery.queryKey }); // it was asked before the mark
      queryClient.setQueryData(notificationsQuery.queryKey, (before) => before && { ...before, unread: 0 });
    },
  });
  const newest = shown?.find(({ isRead }) => !isRead)?.id;
  useEffect(() => {
    if (!newest || marked.current === newest) return;
    marked.current = newest;
    mutate(newest);
  }, [newest, mutate]);
}
