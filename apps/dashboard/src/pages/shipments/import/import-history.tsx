import { Badge, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { ErrorState } from '@navette/ui/parts/error-state.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import styles from '../shipments.module.css';
import { type Import, importsQuery } from './imports-queries.ts';

const COLOURS = { previewed: 'gray', running: 'blue', done: 'green', cancelled: 'orange' };

export const ImportStateBadge = ({ state }: Pick<Import, 'state'>) => {
  const { t } = useTranslation('imports');
  return (
    <Badge variant="light" color={COLOURS[state]} tt="none" style={{ flexShrink: 0 }}>
      {t(`states.${state}`)}
    </Badge>
  );
};

export function ImportHistory() {
  const { t } = useTranslation(['imports', 'common']);
  const query = useInfiniteQuery(importsQuery);
  const imports = query.data?.pages.flatMap((page) => page.imports);
  return (
    <section>
      <Title order={2} size="h4" mb="md">
        {t('history')}
      </Title>
      {query.isError && !imports && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeleton h={76} />}
      {imports?.length === 0 && <Text c="dimmed">{t('noHistory')}</Text>}
      <Stack gap="sm">
        {imports?.map((one) => (
          <Paper key={one.id} withBorder p="md">
            <Group justify="space-between" gap="sm" wrap="nowrap" align="flex-start">
              <div style={{ minWidth: 0 }}>
                <Link to="/shipments/import/$id" params={{ id: one.id }} className={styles.link ?? ''}>
                  {one.filename}
                </Link>
                <Text size="sm" c="dimmed">
                  <When at={one.createdAt} />
                  {one.createdBy && ` · ${one.createdBy}`}
                  {` · ${
                    one.state === 'previewed'
                      ? t('total', { count: one.lines })
                      : t('resultOf', { count: one.created, total: one.lines })
                  }`}
                </Text>
              </div>
              <ImportStateBadge state={one.state} />
            </Group>
          </Paper>
        ))}
      </Stack>
      {query.hasNextPage && (
        <Button mt="md" variant="default" onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
          {t('more', { ns: 'common' })}
        </Button>
      )}
    </section>
  );
}
