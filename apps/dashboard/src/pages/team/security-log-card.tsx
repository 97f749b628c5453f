import { Button, Group, Stack, Text } from '@mantine/core';
import type { Act } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { LinesSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { securityLogQuery } from './team-queries.ts';

/** The security log of the account, for owners. */
export function SecurityLogCard() {
  const { t } = useTranslation('team');
  const { t: tCommon } = useTranslation();
  const query = useInfiniteQuery(securityLogQuery);
  return (
    <Card title={t('history')} text={t('historyText')}>
      <Loaded query={query} skeleton={<LinesSkeleton h={240} />}>
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
  const { t } = useTranslation('team');
  return (
    <Group justify="space-between" gap={4} wrap="wrap">
      <Text size="sm" style={{ overflowWrap: 'anywhere', flex: '1 1 280px' }}>
        <Text span fw={500} size="sm">
          {t(`acts.${act}`)}
        </Text>
        {subject && (
          <>
            {' · '}
            <bdi>{subject}</bdi>
          </>
        )}
      </Text>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        <Actor actor={actor} /> · <When at={at} />
      </Text>
    </Group>
  );
}

/** The e-mail address first, since members choose their own name. */
function Actor({ actor: { kind, email, name, hint } }: { actor: Act['actor'] }) {
  const { t } = useTranslation('team');
  if (kind === 'operator') return name ? <bdi>{t('operatorNamed', { name })}</bdi> : t('operator');
  if (kind === 'unknown') return t('unknownActor');
  if (kind === 'key') return <bdi>{t('keyActor', { name: name ?? '', hint })}</bdi>;
  return (
    <>
      {email && <bdi>{email}</bdi>} <bdi>({name})</bdi>
    </>
  );
}
