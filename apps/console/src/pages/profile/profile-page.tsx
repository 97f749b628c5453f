import { Alert, SimpleGrid, Stack } from '@mantine/core';
import { PasswordCard } from '@navette/ui/pages/profile/password-card.tsx';
import { PersonalCard } from '@navette/ui/pages/profile/personal-card.tsx';
import { SecondFactorCard } from '@navette/ui/pages/profile/second-factor-card.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../session/session.ts';

/** The identity provider keeps the password and second factor of people who sign in with it. */
export default function ProfilePage() {
  const { t } = useTranslation('profile');
  const { singleSignOn } = useSession().staff;
  return (
    <Stack gap="lg" maw={1120}>
      <PageTitle title={t('title')} text={t('text')} />
      <SimpleGrid cols={{ base: 1, md: singleSignOn ? 1 : 2 }} spacing="lg">
        <PersonalCard />
        {!singleSignOn && <PasswordCard />}
      </SimpleGrid>
      {singleSignOn ? (
        <Alert variant="light" icon={<IconInfoCircle />}>
          {t('singleSignOn')}
        </Alert>
      ) : (
        <SecondFactorCard />
      )}
    </Stack>
  );
}
