import { Button, Center } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../shared/empty-state.tsx';

export function NotFoundPage() {
  const { t } = useTranslation('layout');
  return (
    <Center mih="60vh" p="md">
      <EmptyState icon={IconMapOff} title={t('notFound.title')} text={t('notFound.text')}>
        <Button renderRoot={(props) => <Link to="/" {...props} />}>{t('notFound.back')}</Button>
      </EmptyState>
    </Center>
  );
}
