import { Avatar, Badge, Group, Stack, Text } from '@mantine/core';
import { IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay, useSession } from '../../session/session.ts';
import { Card } from '../../shared/card.tsx';
import { ConfirmButton } from '../../shared/confirm-button.tsx';
import { When } from '../../shared/when.tsx';
import { RoleSelect } from './role-select.tsx';
import type { TeamMember } from './team-queries.ts';
import { useTeamChange } from './use-team-change.ts';

export function MembersCard({ members }: { members: TeamMember[] }) {
  const { t } = useTranslation('team');
  return (
    <Card title={t('members')}>
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {members.map((member) => (
          <li key={member.id}>
            <Member member={member} />
          </li>
        ))}
      </Stack>
    </Card>
  );
}

function Member({ member }: { member: TeamMember }) {
  const { t } = useTranslation('team');
  const { t: tLayout } = useTranslation('layout');
  const isOwner = useMay()('own');
  const isSelf = useSession().member.id === member.id;
  const { name } = member;
  const remove = useTeamChange(
    () => call('removeMember', { params: { id: member.id } }),
    () => t('removed', { name }),
  );
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm" wrap="nowrap" style={{ flex: '1 1 260px', minWidth: 0 }}>
        <Avatar name={name} color="initials" radius="xl" aria-hidden />
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={500}>{name}</Text>
            {isSelf && (
              <Badge variant="light" color="gray" tt="none">
                {t('you')}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" truncate>
            {member.email}
          </Text>
          <Activity member={member} />
        </div>
      </Group>
      {isOwner ? (
        <Group gap="xs">
          <RoleSelect member={member} />
          {!isSelf && (
            <ConfirmButton
              title={t('removeTitle', { name })}
              text={t('removeText')}
              confirm={t('remove')}
              onConfirm={() => remove.mutate(undefined)}
              loading={remove.isPending}
              aria-label={t('removeWhom', { name })}
            >
              {t('remove')}
            </ConfirmButton>
          )}
        </Group>
      ) : (
        <Badge variant="light" size="lg" tt="none">
          {tLayout(`roles.${member.role}`)}
        </Badge>
      )}
    </Group>
  );
}

function Activity({ member: { secondFactor, lastSeenAt } }: { member: TeamMember }) {
  const { t } = useTranslation('team');
  const Shield = secondFactor ? IconShieldCheck : IconShieldOff;
  return (
    <Group gap={4} c="dimmed" wrap="nowrap" align="flex-start">
      <Shield size={14} stroke={1.6} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
      <Text size="xs">
        {secondFactor ? t('secondFactor') : t('noSecondFactor')} ·{' '}
        {lastSeenAt ? (
          <>
            {t('seen')} <When at={lastSeenAt} />
          </>
        ) : (
          t('notSeen')
        )}
      </Text>
    </Group>
  );
}
