import { Center, Stack } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../parts/empty-state.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { TabTitle } from './app-identity.tsx';
import { Brand } from './brand.tsx';

export function NotFoundPage() {
  const { t } = useTranslation('layout');
  return (
    <Center component="main" mih="80vh" p="md">
      <TabTitle title={t('notFound.title')} />
      <Stack align="center">
        <Brand />
        <EmptyState icon={IconMapOff} title={t('notFound.title')} text={t('notFound.text')}>
          <ButtonLink to="/">{t('notFound.back')}</ButtonLink>
        </EmptyState>
      </Stack>
    </Center>
  );
}
