import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { Act } from '@navette/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/card.tsx';
import { Loaded } from '../../shared/loaded.tsx';
import { When } from '../../shared/when.tsx';
import { actsQuery } from './team-queries.ts';

/** What matters for the account's security, for owners. */
export function ActsCard() {
  const { t } = useTranslation('team');
  const { t: tCommon } = useTranslation();
  const query = useInfiniteQuery(actsQuery);
  return (
    <Card title={t('history')} text={t('historyText')}>
      <Loaded query={query} skeleton={<Skeleton height={240} />}>
        {({ pages }) => {
          const acts = pages.flatMap((page) => page.acts);
          return (
            <Stack gap="sm">
              {acts.length === 0 && <Text c="dimmed">{t('noHistory')}</Text>}
              {acts.map((act) => (
                <Line key={act.id} act={act} />
              ))}
              {query.hasNextPage && (
                <Group>
                  <Button
                    variant="default"
                    loading={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    {tCommon('more')}
                  </Button>
                </Group>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Card>
  );
}

function Line({ act: { at, actor, act, subject } }: { act: Act }) {
  const { t, i18n } = useTranslation('team');
  const name = `acts.${act}`;
  return (
    <Group justify="space-between" gap={4} wrap="wrap">
      <Text size="sm" style={{ overflowWrap: 'anywhere', flex: '1 1 280px' }}>
        <Text span fw={500} size="sm">
          {i18n.exists(name, { ns: 'team' }) ? t(name as 'acts.signed-in') : act}
        </Text>
        {subject && ` · ${subject}`}
      </Text>
      <Text size="sm" c="dimmed">
        {actor ?? t('operator')} · <When at={at} />
      </Text>
    </Group>
  );
}
