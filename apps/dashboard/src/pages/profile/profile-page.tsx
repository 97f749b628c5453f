import { SimpleGrid, Stack } from '@mantine/core';
import { PasswordCard } from '@navette/ui/pages/profile/password-card.tsx';
import { PersonalCard } from '@navette/ui/pages/profile/personal-card.tsx';
import { SecondFactorCard } from '@navette/ui/pages/profile/second-factor-card.tsx';
import { PageTitle } from '@navette/ui/parts/page-title.tsx';
import { useTranslation } from 'react-i18next';
import { NotificationsCard } from './notifications-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { SessionsCard } from './sessions-card.tsx';

export default function ProfilePage() {
  const { t } = useTranslation('profile');
  return (
    <>
      <PageTitle title={t('title')} text={t('text')} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <PersonalCard />
        <PasswordCard />
      </SimpleGrid>
      <Stack gap="lg" mt="lg">
        <SecondFactorCard />
        <PasskeysCard />
        <NotificationsCard />
        <SessionsCard />
      </Stack>
    </>
  );
}
