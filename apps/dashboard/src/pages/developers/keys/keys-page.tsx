import { Alert, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { CardSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { CopyButton } from '@navette/ui/parts/copy-button.tsx';
import { EmptyState } from '@navette/ui/parts/empty-state.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconInfoCircle, IconKey, IconUserOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../../session/session.ts';
import { CardList } from '../card-list.tsx';
import { CreateKeyButton } from './create-key-button.tsx';
import { KeyCard } from './key-card.tsx';
import { keysQuery } from './key-queries.ts';

const REFRESH_MS = 15_000; // keeps the last use up to date

export default function KeysPage() {
  const { t } = useTranslation('developers');
  const keys = useQuery({ ...keysQuery, refetchInterval: REFRESH_MS });
  const isFull = keys.data !== undefined && keys.data.active >= keys.data.mostActive;
  return (
    <>
      <PageTitle title={t('keys.title')} text={t('keys.text')}>
        <CreateKeyButton disabled={isFull} />
      </PageTitle>
      <Stack gap="lg">
        <ClientId />
        <Loaded query={keys} skeleton={<CardSkeleton h={420} />}>
          {({ keys: all, active, mostActive }) => {
            const past = all.filter(({ state }) => state !== 'active');
            return (
              <>
                {isFull && (
                  <Alert icon={<IconInfoCircle />} color="yellow">
                    {t('keys.full', { most: mostActive })}
                  </Alert>
                )}
                {all.some(({ state, createdBy }) => state === 'active' && createdBy?.hasLeft) && (
                  <Alert icon={<IconUserOff />} color="yellow">
                    {t('keys.formerMemberKeys')}
                  </Alert>
                )}
                {active === 0 ? (
                  <Paper withBorder>
                    <EmptyState icon={IconKey} title={t('keys.emptyTitle')} text={t('keys.emptyText')} />
                  </Paper>
                ) : (
                  <section>
                    <Title order={2} size="h5" mb="sm">
                      {t('keys.used', { active, most: mostActive })}
                    </Title>
                    <CardList>
                      {all.slice(0, active).map((key) => (
                        <KeyCard key={key.id} apiKey={key} />
                      ))}
                    </CardList>
                  </section>
                )}
                {past.length > 0 && (
                  <section>
                    <Title order={2} size="h5" mb="sm">
                      {t('keys.past')}
                    </Title>
                    <CardList>
                      {past.map((key) => (
                        <KeyCard key={key.id} apiKey={key} />
                      ))}
                    </CardList>
                  </section>
                )}
              </>
            );
          }}
        </Loaded>
      </Stack>
    </>
  );
}

function ClientId() {
  const { t } = useTranslation('developers');
  const { account } = useSession();
  return (
    <Paper withBorder p="md">
      <Text fw={600}>{t('keys.clientId')}</Text>
      <Text size="sm" c="dimmed" mb="xs">
        {t('keys.clientIdText')}
      </Text>
      <Group gap="xs">
        <Code fz="sm">{account.clientId}</Code>
        <CopyButton value={account.clientId} what={t('keys.clientId')} />
      </Group>
    </Paper>
  );
}
