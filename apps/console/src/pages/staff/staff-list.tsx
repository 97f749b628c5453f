import { Avatar, Badge, Group, Select, Stack, Text } from '@mantine/core';
import type { StaffListed, StaffRole } from '@navette/contract';
import { STAFF_ROLES } from '@navette/contract/console-roles';
import { Card } from '@navette/ui/parts/card.tsx';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay, useSession } from '../../session/session.ts';
import { useStaffChange } from './use-staff-change.ts';

export function StaffList({ staff }: { staff: StaffListed[] }) {
  const { t } = useTranslation('staff');
  return (
    <Card title={t('members')}>
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {staff.map((person) => (
          <li key={person.id}>
            <StaffRow person={person} />
          </li>
        ))}
      </Stack>
    </Card>
  );
}

function StaffRow({ person }: { person: StaffListed }) {
  const { t } = useTranslation('staff');
  const isAdmin = useMay()('administer');
  const isSelf = useSession().staff.id === person.id;
  return (
    <Group justify="space-between" gap="sm">
      <Group gap="sm" wrap="nowrap" style={{ flex: '1 1 280px', minWidth: 0 }}>
        <Avatar name={person.name} color="initials" radius="xl" aria-hidden />
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={500}>{person.name}</Text>
            {isSelf && (
              <Badge variant="light" color="gray" tt="none">
                {t('you')}
              </Badge>
            )}
          </Group>
          <Text size="sm" c="dimmed" truncate>
            {person.email}
          </Text>
          <Activity person={person} />
        </div>
      </Group>
      <RoleAndRemoval person={person} canChange={isAdmin && !isSelf} />
    </Group>
  );
}

/** Nobody changes their own role: an administrator asks another one, so that one always remains. */
function RoleAndRemoval({
  person: { id, name, role, singleSignOn },
  canChange,
}: {
  person: StaffListed;
  canChange: boolean;
}) {
  const { t } = useTranslation('staff');
  const { t: tLayout } = useTranslation('layout');
  const change = useStaffChange(
    (newRole: StaffRole) => call('changeStaffRole', { params: { id }, body: { role: newRole } }),
    (newRole) => t('roleChanged', { name, role: tLayout(`roles.${newRole}`) }),
  );
  const remove = useStaffChange(
    () => call('removeStaff', { params: { id } }),
    () => t('removed', { name }),
  );
  if (!canChange) {
    return (
      <Badge variant="light" size="lg" tt="none">
        {tLayout(`roles.${role}`)}
      </Badge>
    );
  }
  return (
    <Group gap="xs">
      {singleSignOn ? (
        <Badge variant="light" size="lg" tt="none" title={t('roleByProvider')}>
          {tLayout(`roles.${role}`)}
        </Badge>
      ) : (
        <Select
          aria-label={t('roleOf', { name })}
          data={STAFF_ROLES.map((value) => ({ value, label: tLayout(`roles.${value}`) }))}
          value={role}
          onChange={(value) => value && value !== role && change.mutate(value as StaffRole)}
          allowDeselect={false}
          disabled={change.isPending}
          w={190}
        />
      )}
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
    </Group>
  );
}

function Activity({ person: { secondFactor, singleSignOn, lastSeenAt } }: { person: StaffListed }) {
  const { t } = useTranslation('staff');
  const way = singleSignOn ? t('singleSignOn') : t(secondFactor ? 'secondFactor' : 'noSecondFactor');
  return (
    <Text size="xs" c="dimmed">
      {way} ·{' '}
      {lastSeenAt ? (
        <>
          {t('seen')} <When at={lastSeenAt} />
        </>
      ) : (
        t('notSeen')
      )}
    </Text>
  );
}
