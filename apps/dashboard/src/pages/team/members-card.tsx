import { Avatar, Badge, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { DashboardAnswer } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay, useSession } from '../../session/session.ts';
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
            <MemberRow member={member} />
          </li>
        ))}
      </Stack>
    </Card>
  );
}

function MemberRow({ member }: { member: TeamMember }) {
  const { t } = useTranslation('team');
  const { t: tLayout } = useTranslation('layout');
  const isOwner = useMay()('own');
  const isSelf = useSession().member.id === member.id;
  const { name } = member;
  const remove = useTeamChange(
    async () => warnAboutActiveKeys(await call('removeMember', { params: { id: member.id } }), t),
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

/** Stays open until it is closed, because the keys need to be replaced. */
function warnAboutActiveKeys(
  { activeKeys, withdrawnInvitations }: DashboardAnswer<'removeMember'>,
  t: TFunction<'team'>,
): void {
  if (withdrawnInvitations.length > 0) {
    notifications.show({ message: t('invitationsWithdrawn', { emails: withdrawnInvitations.join(', ') }) });
  }
  if (activeKeys.length === 0) return;
  const keys = activeKeys.map(({ name, hint }) => (name ? `${name} (…${hint})` : `…${hint}`)).join(', ');
  notifications.show({
    color: 'yellow',
    title: t('keysLeftTitle'),
    message: t('keysLeft', { keys }),
    autoClose: false,
  });
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
