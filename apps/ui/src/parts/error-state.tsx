import { Alert, Button, Stack } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useExplainError } from '../api/use-explain-error.ts';

/** Explains why a section could not be loaded, with a retry button. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useTranslation();
  const explain = useExplainError();
  return (
    <Alert color="red" icon={<IconAlertCircle />} title={t('failedToLoad')} role="alert">
      <Stack align="flex-start" gap="sm">
        {explain(error)}
        <Button variant="default" size="xs" onClick={onRetry}>
          {t('retry')}
        </Button>
      </Stack>
    </Alert>
  );
}
