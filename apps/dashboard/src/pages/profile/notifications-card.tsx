import { Checkbox, Table } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { NotificationChoice } from '@navette/contract';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { Card } from '@navette/ui/parts/card.tsx';
import { LinesSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';

const choicesQuery = queryOptions({
  queryKey: ['notification-choices'],
  queryFn: () => call('readNotificationChoices'),
});

const WAYS = ['app', 'mail'] as const;

/** The member's choice of notifications, in the app and by mail. Saved with each tick. */
export function NotificationsCard() {
  const { t } = useTranslation('notifications');
  const explain = useExplainError();
  const queryClient = useQueryClient();
  const query = useQuery(choicesQuery);
  const choosing = useMutation({
    mutationFn: (body: NotificationChoice) => call('chooseNotification', { body }),
    // Shown at once; after a failure the list is read again.
    onMutate: (chosen) =>
      queryClient.setQueryData(
        choicesQuery.queryKey,
        (before) =>
          before && { ...before, choices: before.choices.map((one) => (one.kind === chosen.kind ? chosen : one)) },
      ),
    onSuccess: (answer) => queryClient.setQueryData(choicesQuery.queryKey, answer),
    onError: (error) => {
      notifications.show({ color: 'red', message: explain(error) });
      return queryClient.invalidateQueries({ queryKey: choicesQuery.queryKey });
    },
  });
  return (
    <div id="notifications">
      <Card title={t('title')} text={t('choiceText')}>
        <Loaded query={query} skeleton={<LinesSkeleton h={240} />}>
          {({ choices }) => (
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('about')}</Table.Th>
                  {WAYS.map((way) => (
                    <Table.Th key={way} w={90} ta="center">
                      {t(`ways.${way}`)}
                    </Table.Th>
                  ))}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {choices.map((choice) => (
                  <Table.Tr key={choice.kind}>
                    <Table.Th fw={400} scope="row">
                      {t(`names.${choice.kind}`)}
                    </Table.Th>
                    {WAYS.map((way) => (
                      <Table.Td key={way}>
                        <Checkbox
                          styles={{ body: { justifyContent: 'center' } }}
                          aria-label={`${t(`names.${choice.kind}`)}, ${t(`ways.${way}`)}`}
                          checked={choice[way]}
                          onChange={({ currentTarget }) => choosing.mutate({ ...choice, [way]: currentTarget.checked })}
                        />
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
        </Loaded>
      </Card>
    </div>
  );
}
