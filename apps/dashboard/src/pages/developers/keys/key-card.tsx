import { Badge, Code, Group, Paper, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { DashboardKey } from '@navette/contract';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { Fact } from '@navette/ui/parts/fact.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { useMay } from '../../../session/session.ts';
import { keysQuery } from './key-queries.ts';
import { NarrowKeyButton } from './narrow-key-button.tsx';

const COLOURS = { active: 'green', expired: 'gray', revoked: 'red' } as const;

export function KeyCard({ apiKey }: { apiKey: DashboardKey }) {
  const { t } = useTranslation('developers');
  const may = useMay();
  const explain = useExplainError();
  const cache = useQueryClient();
  const name = apiKey.name ?? t('keys.unnamed');
  const revocation = useMutation({
    mutationFn: () => call('revokeKey', { params: { id: apiKey.id } }),
    onSuccess: () => notifications.show({ message: t('keys.revoked'), color: 'green' }),
    onError: (error) => notifications.show({ message: explain(error), color: 'red' }),
    onSettled: () => cache.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  return (
    <Paper component="li" withBorder p="md" data-key={apiKey.id}>
      <Group justify="space-between" align="flex-start">
        <Stack gap={6} style={{ minWidth: 0, flex: '1 1 18rem' }}>
          <Group gap="xs">
            <Text fw={600}>{name}</Text>
            <Code>…{apiKey.hint}</Code>
            <Badge variant="light" color={COLOURS[apiKey.state]} tt="none">
              {t(`keys.state.${apiKey.state}`)}
            </Badge>
            {apiKey.state === 'active' && apiKey.createdBy?.hasLeft && (
              <Badge variant="light" color="yellow" tt="none">
                {t('keys.formerMemberKey')}
              </Badge>
            )}
          </Group>
          <Group gap={6}>
            {apiKey.scopes.map((scope) => (
              <Badge key={scope} variant="default" tt="none" fw={500}>
                {t(`keys.scope.${scope}`)}
              </Badge>
            ))}
            {apiKey.resources?.map((resource) => (
              <Badge key={resource} variant="light" color="gray" tt="none" fw={500}>
                {t(`keys.resource.${resource}`)}
              </Badge>
            ))}
          </Group>
        </Stack>
        {apiKey.state === 'active' && may('develop') && (
          <Group gap="xs" justify="flex-end" style={{ flexShrink: 0 }}>
            <NarrowKeyButton apiKey={apiKey} name={name} />
            <ConfirmButton
              size="xs"
              variant="light"
              color="red"
              loading={revocation.isPending}
              title={t('keys.revokeTitle', { name })}
              text={t('keys.revokeText')}
              confirm={t('keys.revoke')}
              onConfirm={() => revocation.mutate()}
            >
              {t('keys.revoke')}
            </ConfirmButton>
          </Group>
        )}
      </Group>
      <Group gap="xl" mt="md" component="dl" my={0} style={{ rowGap: 8 }}>
        <Fact label={t('keys.lastUsed')}>
          {apiKey.lastUsedAt ? <When at={apiKey.lastUsedAt} /> : t('keys.neverUsed')}
        </Fact>
        <Fact label={t('keys.createdBy', { name: createdBy(apiKey) ?? t('keys.byOperator') })}>
          <When at={apiKey.createdAt} />
        </Fact>
        {apiKey.networks && (
          <Fact label={t('keys.networks')}>
            <Text inherit ff="monospace" fz="xs" style={{ overflowWrap: 'anywhere' }}>
              {apiKey.networks.join(', ')}
            </Text>
          </Fact>
        )}
        {apiKey.revokedAt ? (
          <Fact label={t('keys.revokedBy', { name: apiKey.revokedBy ?? t('keys.byOperator') })}>
            <When at={apiKey.revokedAt} />
          </Fact>
        ) : (
          <Fact label={t(apiKey.state === 'expired' ? 'keys.expiredOn' : 'keys.expires')}>
            {apiKey.expiresAt ? <When at={apiKey.expiresAt} as="date" /> : t('keys.never')}
          </Fact>
        )}
      </Group>
    </Paper>
  );
}

const createdBy = ({ createdBy }: DashboardKey) => createdBy && (createdBy.email ?? createdBy.name);
