import { notifications } from '@mantine/notifications';
import type { LabelsRequest } from '@navette/contract';
import { useExplainError } from '@navette/ui/api/use-explain-error.ts';
import { saveFile, showFile } from '@navette/ui/show-file';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callForFile } from '../../../api/call.ts';
import { type LabelOutput, requestOf } from './use-label-output.ts';

/** Opens a PDF file with labels, or saves one with commands for a printer. */
export function usePrintLabels(output: LabelOutput) {
  const { t } = useTranslation('shipments');
  const explain = useExplainError();
  return useMutation({
    mutationFn: async (chosen: LabelsRequest) => {
      const body = { ...chosen, ...requestOf(output) };
      return { file: await callForFile('printLabels', { body }), format: body.format };
    },
    onSuccess: ({ file, format }) => {
      if (format === 'zpl') saveFile(file, 'navette-labels.zpl');
      else showFile(file, 'navette-labels.pdf');
    },
    onError: (error) => notifications.show({ color: 'red', title: t('printFailed'), message: explain(error) }),
  });
}
