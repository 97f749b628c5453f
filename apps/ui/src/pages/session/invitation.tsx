import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../api-error.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { type Acceptance, AcceptForm } from './accept-form.tsx';
import { GuestCard } from './guest-card.tsx';
import { LinkGone, readLinkToken } from './link-gone.tsx';

interface Props<Read extends { email: string }> {
  read: (token: string) => Promise<{ invitation: Read }>;
  describe: (invitation: Read) => { title: string; text: string };
  /** Creates the person and opens their session. */
  accept: (body: Acceptance & { token: string }) => Promise<unknown>;
}

/** The page of an invitation link. */
export function Invitation<Read extends { email: string }>({ read, describe, accept }: Props<Read>) {
  const { t } = useTranslation('session');
  const navigate = useNavigate();
  const [token] = useState(readLinkToken);
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => read(token),
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
  const onAccept = async (acceptance: Acceptance) => {
    await accept({ token, ...acceptance });
    await navigate({ to: '/' });
  };
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
        <GuestCard {...describe(invitation)}>
          <AcceptForm email={invitation.email} onAccept={onAccept} />
        </GuestCard>
      )}
    </Loaded>
  );
}
