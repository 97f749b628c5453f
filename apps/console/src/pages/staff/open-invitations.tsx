import { Badge, Group, Stack, Text } from '@mantine/core';
import type { StaffInvitation } from '@navette/contract';
import { Card } from '@navette/ui/parts/card.tsx';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import { useStaffChange } from './use-staff-change.ts';

export function OpenInvitations({ invitations }: { invitations: StaffInvitation[] }) {
  const { t } = useTranslation('staff');
  return (
    <Card title={t('invitations')}>
      <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {invitations.map((invitation) => (
          <li key={invitation.id}>
            <InvitationRow invitation={invitation} />
          </li>
        ))}
      </Stack>
    </Card>
  );
}

function InvitationRow({ invitation: { id, email, role, invitedBy, expiresAt } }: { invitation: StaffInvitation }) {
  const { t } = useTranslation('staff');
  const { t: tLayout } = useTranslation('layout');
  const isAdmin = useMay()('administer');
  const isOver = new Date(expiresAt) < new Date();
  const withdraw = useStaffChange(
    () => call('withdrawStaffInvitation', { params: { id } }),
    () => t('withdrawn'),
  );
  return (
    <Group justify="space-between" gap="sm">
      <div style={{ flex: '1 1 280px', minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          <Badge variant="light" tt="none">
            {tLayout(`roles.${role}`)}
          </Badge>
        </Group>
        <Text size="xs" c={isOver ? 'red' : 'dimmed'}>
          {t('invitedBy', { who: invitedBy })} · {isOver ? t('expired') : t('expires')}{' '}
          <When at={expiresAt} as="date" />
        </Text>
      </div>
      {isAdmin && (
        <ConfirmButton
          title={t('withdrawTitle')}
          text={t('withdrawText', { email })}
          confirm={t('withdrawConfirm')}
          onConfirm={() => withdraw.mutate(undefined)}
          loading={withdraw.isPending}
          aria-label={t('withdrawFor', { email })}
        >
          {t('withdraw')}
        </ConfirmButton>
      )}
    </Group>
  );
}
