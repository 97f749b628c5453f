import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { Loaded } from '../../shared/loaded.tsx';
import { AcceptForm } from './accept-form.tsx';
import { GuestCard } from './guest-card.tsx';
import { LinkGone, readLinkToken } from './link-gone.tsx';

export default function InvitationPage() {
  const { t } = useTranslation('session');
  const { t: tLayout } = useTranslation('layout');
  const [token] = useState(readLinkToken);
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => call('readInvitation', { body: { token } }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!token || (query.error instanceof ApiError && query.error.slug === 'LINK_GONE')) {
    return (
      <LinkGone>
        <Text>{t('invitation.gone')}</Text>
      </LinkGone>
    );
  }
  return (
    <Loaded
      query={query}
      skeleton={
        <GuestCard title={t('invitation.loading')}>
          <Stack>
            <Skeleton height={48} />
            <Skeleton height={60} />
            <Skeleton height={60} />
            <Skeleton height={90} />
            <Skeleton height={36} />
          </Stack>
        </GuestCard>
      }
    >
      {({ invitation }) => (
        <GuestCard
          title={t('invitation.title', { account: invitation.accountName })}
          text={t('invitation.text', {
            who: invitation.invitedBy ?? t('invitation.operator'),
            account: invitation.accountName,
            role: tLayout(`roles.${invitation.role}`),
          })}
        >
          <AcceptForm token={token} email={invitation.email} />
        </GuestCard>
      )}
    </Loaded>
  );
}
