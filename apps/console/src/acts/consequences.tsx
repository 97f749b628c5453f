import { Alert, List } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** Says before an act what will happen. */
export function Consequences({ lines }: { lines: string[] }) {
  const { t } = useTranslation('acts');
  return (
    <Alert role="note" variant="light" icon={<IconInfoCircle />} title={t('consequences')}>
      <List size="sm" spacing={4}>
        {lines.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
