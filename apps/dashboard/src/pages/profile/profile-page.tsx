import { SimpleGrid, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PageTitle } from '../../shared/page-title.tsx';
import { PasswordCard } from './password-card.tsx';
import { PersonalCard } from './personal-card.tsx';
import { SecondFactorCard } from './second-factor-card.tsx';
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
        <SessionsCard />
      </Stack>
    </>
  );
}
