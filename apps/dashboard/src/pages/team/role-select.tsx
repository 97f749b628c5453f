import { Select, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Role } from '@navette/contract';
import { ROLES } from '@navette/contract/dashboard-roles';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { renewSession, useSession } from '../../session/session.ts';
import type { TeamMember } from './team-queries.ts';
import { useTeamChange } from './use-team-change.ts';

/** Changes the role immediately. Owners who would lock themselves out are asked to confirm. */
export function RoleSelect({ member: { id, name, role } }: { member: TeamMember }) {
  const { t } = useTranslation('team');
  const { t: tLayout } = useTranslation('layout');
  const { t: tCommon } = useTranslation();
  const isSelf = useSession().member.id === id;
  const change = useTeamChange(
    async (newRole: Role) => {
      await call('changeRole', { params: { id }, body: { role: newRole } });
      if (isSelf) await renewSession();
    },
    (newRole) => t('roleChanged', { name, role: tLayout(`roles.${newRole}`) }),
  );
  const choose = (newRole: Role) => {
    if (!isSelf) return change.mutate(newRole);
    modals.openConfirmModal({
      title: t('ownRoleTitle'),
      children: <Text size="sm">{t('ownRoleText', { role: tLayout(`roles.${newRole}`) })}</Text>,
      labels: { confirm: t('ownRoleConfirm'), cancel: tCommon('cancel') },
      confirmProps: { color: 'red' },
      closeButtonProps: { 'aria-label': tCommon('close') },
      onConfirm: () => change.mutate(newRole),
    });
  };
  return (
    <Select
      aria-label={t('roleOf', { name })}
      data={ROLES.map((value) => ({ value, label: tLayout(`roles.${value}`) }))}
      value={role}
      onChange={(value) => value && value !== role && choose(value as Role)}
      allowDeselect={false}
      disabled={change.isPending}
      w={170}
      comboboxProps={{ withinPortal: true }}
    />
  );
}
