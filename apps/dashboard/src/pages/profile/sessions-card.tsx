import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { queryClient } from '@navette/ui/api/query-client.ts';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { sessionsQuery } from './sessions-query.ts';

export function SessionsCard() {
  const { t } = useTranslation('profile');
  const explain = useExplainError();
  const navigate = useNavigate();
  const query = useQuery(sessionsQuery);
  const onError = (error: unknown) => notifications.show({ color: 'red', message: explain(error) });
  const close = useMutation({
    mutationFn: (id: string) => call('closeSession', { params: { id } }),
    onSuccess: () => notifications.show({ color: 'green', message: t('sessions.closed') }),
    onError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
  const closeAll = useMutation({
    mutationFn: () => call('signOutEverywhere'),
    onSuccess: async () => {
      queryClient.clear();
      await navigate({ to: '/sign-in' });
    },
    onError,
  });
  return (
    <Card
      title={t('sessions.title')}
      text={t('sessions.text')}
      aside={
        <ConfirmButton
          size="xs"
          title={t('sessions.everywhereTitle')}
          text={t('sessions.everywhereText')}
          confirm={t('sessions.everywhere')}
          onConfirm={() => closeAll.mutate()}
        >
          {t('sessions.everywhere')}
        </ConfirmButton>
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={44} />}>
        {({ sessions }) => (
          <Stack gap="sm">
            {sessions.map(({ id, device, createdAt, lastSeenAt, current }) => {
              const name = device ?? t('sessions.unknownDevice');
              return (
                <Group key={id} justify="space-between" gap="sm" mih={44}>
                  <div>
                    <Group gap="xs">
                      <Text fw={500}>{name}</Text>
                      {current && (
                        <Badge variant="light" color="green" tt="none">
                          {t('sessions.current')}
                        </Badge>
                      )}
                    </Group>
                    <Text size="sm" c="dimmed">
                      {t('sessions.seen')} <When at={lastSeenAt} />, {t('sessions.opened')}{' '}
                      <When at={createdAt} as="date" />
                    </Text>
                  </div>
                  {!current && (
                    <Button
                      variant="default"
                      size="xs"
                      loading={close.isPending && close.variables === id}
                      onClick={() => close.mutate(id)}
                      aria-label={t('sessions.closeWhat', { device: name })}
                    >
                      {t('sessions.close')}
                    </Button>
                  )}
                </Group>
              );
            })}
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}
