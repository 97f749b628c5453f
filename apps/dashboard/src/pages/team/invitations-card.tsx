import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { Card } from '@navette/ui/parts/card.tsx';
import { ConfirmButton } from '@navette/ui/parts/confirm-button.tsx';
import { When } from '@navette/ui/parts/when.tsx';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { useMay } from '../../session/session.ts';
import type { Invitation } from './team-queries.ts';
import { useTeamChange } from './use-team-change.ts';

export function InvitationsCard({ invitations }: { invitations: Invitation[] }) {
  const { t } = useTranslation('team');
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

function InvitationRow({ invitation: { id, email, role, invitedBy, expiresAt } }: { invitation: Invitation }) {
  const { t } = useTranslation('team');
  const { t: tLayout } = useTranslation('layout');
  const isOwner = useMay()('own');
  const isOver = new Date(expiresAt) < new Date();
  const resend = useTeamChange(
    () => call('resendInvitation', { params: { id } }),
    () => t('resent', { email }),
  );
  const withdraw = useTeamChange(
    () => call('withdrawInvitation', { params: { id } }),
    () => t('withdrawn'),
  );
  return (
    <Group justify="space-between" gap="sm">
      <div style={{ flex: '1 1 260px', minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {email}
          </Text>
          <Badge variant="light" tt="none">
            {tLayout(`roles.${role}`)}
          </Badge>
        </Group>
        <Text size="sm" c={isOver ? 'red' : 'dimmed'}>
          {isOver ? t('expired') : t('expires')} <When at={expiresAt} as="date" />
        </Text>
        <Text size="xs" c="dimmed">
          {invitedBy ? t('by', { who: invitedBy }) : t('byOperator')}
        </Text>
      </div>
      {isOwner && (
        <Group gap="xs">
          <Button
            variant="default"
            onClick={() => resend.mutate(undefined)}
            loading={resend.isPending}
            aria-label={t('resendTo', { email })}
          >
            {t('resend')}
          </Button>
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
        </Group>
      )}
    </Group>
  );
}
