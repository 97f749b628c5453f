import { Select, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { Role } from '@navette/contract';
import { ROLES } from '@navette/contract/dashboard-roles';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { renewSession, useSession } from '../../session/session.ts';
import type { TeamMember } from './team-queries.ts';
import { useTeamChange } from './use-team-change.ts';

/** Changes the role at once; asks first where members would lock themselves out. */
export function RoleSelect({ member: { id, name, role } }: { member: TeamMember }) {
  const { t } = useTranslation('team');
  const { t: tLayout } = useTranslation('layout');
  const { t: tCommon } = useTranslation();
  const isSelf = useSession().member.id === id;
  const change = useTeamChange(
    async (wanted: Role) => {
      await call('changeRole', { params: { id }, body: { role: wanted } });
      if (isSelf) await renewSession();
    },
    (wanted) => t('roleChanged', { name, role: tLayout(`roles.${wanted}`) }),
  );
  const choose = (wanted: Role) => {
    if (!isSelf) return change.mutate(wanted);
    modals.openConfirmModal({
      title: t('ownRoleTitle'),
      children: <Text size="sm">{t('ownRoleText', { role: tLayout(`roles.${wanted}`) })}</Text>,
      labels: { confirm: t('ownRoleConfirm'), cancel: tCommon('cancel') },
      confirmProps: { color: 'red' },
      closeButtonProps: { 'aria-label': tCommon('close') },
      onConfirm: () => change.mutate(wanted),
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
