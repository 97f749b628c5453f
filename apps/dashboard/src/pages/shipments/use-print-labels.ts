import { notifications } from '@mantine/notifications';
import type { LabelsRequest } from '@navette/contract';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { showFile } from '@navette/ui/show-file';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callForFile } from '../../api/call.ts';

/** Opens a PDF file with labels. */
export function usePrintLabels() {
  const { t } = useTranslation('shipments');
  const explain = useExplainError();
  return useMutation({
    mutationFn: (body: LabelsRequest) => callForFile('printLabels', { body }),
    onSuccess: (file) => showFile(file, 'navette-labels.pdf'),
    onError: (error) => notifications.show({ color: 'red', title: t('printFailed'), message: explain(error) }),
  });
}
