import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export function LateMark() {
  const { t } = useTranslation('shipments');
  return (
    <Text size="xs" c="red" fw={600}>
      {t('late')}
    </Text>
  );
}
