import { Alert, Group, Stack } from '@mantine/core';
import { ButtonLink } from '@navette/ui/parts/links.tsx';
import { IconCheck, IconInfoCircle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Import } from './imports-queries.ts';

export function ImportResult({ of }: { of: Import }) {
  const { t } = useTranslation('imports');
  const left = of.lines - of.created;
  const isComplete = of.state === 'done' && of.failed === 0;
  return (
    <Alert
      color={isComplete ? 'green' : 'orange'}
      icon={isComplete ? <IconCheck /> : <IconInfoCircle />}
      title={of.created > 0 ? t('doneTitle', { count: of.created }) : t('doneNothing')}
      role="status"
    >
      <Stack gap="sm">
        <div>
          {of.state === 'cancelled' ? t('cancelledText') : isComplete && t('doneText')}{' '}
          {left > 0 && t('failedLines', { count: left })}
        </div>
        <Group gap="sm">
          {of.created > 0 && (
            <ButtonLink to="/shipments" size="xs">
              {t('seeShipments')}
            </ButtonLink>
          )}
          <ButtonLink to="/shipments/import" size="xs" variant="default">
            {t('another')}
          </ButtonLink>
        </Group>
      </Stack>
    </Alert>
  );
}
