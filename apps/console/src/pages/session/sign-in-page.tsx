import { Alert, Button, Divider } from '@mantine/core';
import { GuestCard } from '@navette/ui/pages/session/guest-card.tsx';
import { SignIn } from '@navette/ui/pages/session/sign-in.tsx';
import { LinesSkeleton } from '@navette/ui/parts/card-skeleton.tsx';
import { Loaded } from '@navette/ui/parts/loaded.tsx';
import { IconAlertCircle, IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call, urlOf } from '../../api/call.ts';

/** Sign-in with a password, with the identity provider, or with either. */
export default function SignInPage() {
  const { t } = useTranslation('session');
  const { next, error } = useSearch({ from: '/guest/sign-in' });
  const query = useQuery({
    queryKey: ['sign-in-ways'],
    queryFn: () => call('readSignInWays'),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Loaded
      query={query}
      skeleton={
        <GuestCard title={t('signIn.title')}>
          <LinesSkeleton h={286} />
        </GuestCard>
      }
    >
      {({ password, singleSignOn }) => {
        const provider = singleSignOn && <SingleSignOn name={singleSignOn.name} error={error} />;
        if (!password) return <GuestCard title={t('signIn.title')}>{provider}</GuestCard>;
        const above = provider && (
          <>
            {provider}
            <Divider label={t('signIn.or')} />
          </>
        );
        return <SignIn next={next} note={t('signIn.firstTime')} above={above} />;
      }}
    </Loaded>
  );
}

function SingleSignOn({ name, error }: { name: string; error: string | undefined }) {
  const { t } = useTranslation('session');
  const { t: tErrors } = useTranslation('errors');
  return (
    <>
      {error !== undefined && (
        <Alert color="red" variant="light" icon={<IconAlertCircle />} role="alert">
          {tErrors(error === 'SINGLE_SIGN_ON_NO_ROLE' ? error : 'SINGLE_SIGN_ON_FAILED')}
        </Alert>
      )}
      <Button component="a" href={urlOf('startSingleSignOn')} variant="default" leftSection={<IconKey size={18} />}>
        {t('signIn.singleSignOn', { name })}
      </Button>
    </>
  );
}
