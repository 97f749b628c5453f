import { Alert } from '@mantine/core';
import type { RecurringSummary } from '@navette/contract';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { ApiError } from '@navette/ui/api-error';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

/** Why an occurrence could not be created so far, and what to do. */
export function Problem({ problem }: Pick<RecurringSummary, 'problem'>) {
  const { t } = useTranslation('recurring');
  const format = useFormat();
  const explain = useExplainError();
  if (!problem) return null;
  return (
    <Alert
      color="orange"
      icon={<IconAlertTriangle />}
      title={t('problem', { day: format.dayOfSlot(problem.day) })}
      mt="xs"
    >
      {explain(new ApiError(403, { error: problem.reason }))} {t('problemHint')}
    </Alert>
  );
}
