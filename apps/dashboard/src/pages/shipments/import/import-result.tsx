import { Alert, Button, Group, Stack } from '@mantine/core';
import { MAX_EXPORTED_LABELS } from '@navette/contract/limits';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { ButtonLink } from '@navette/ui/parts/links.tsx';
import { IconCheck, IconInfoCircle, IconPrinter } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LabelFormatPicker } from '../labels/label-format-picker.tsx';
import { useLabelOutput } from '../labels/use-label-output.ts';
import { usePrintLabels } from '../labels/use-print-labels.ts';
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
          {of.created > 0 && <PrintButtons of={of} />}
          {of.created > 0 && (
            <ButtonLink to="/shipments" size="xs" variant="default">
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

/** One file of labels, or several for a large import. */
function PrintButtons({ of }: { of: Import }) {
  const { t } = useTranslation('imports');
  const format = useFormat();
  const output = useLabelOutput();
  const print = usePrintLabels(output);
  const parts = Math.ceil(of.created / MAX_EXPORTED_LABELS);
  const buttons = Array.from({ length: parts }, (_, index) => {
    const part = index + 1;
    const first = format.number(index * MAX_EXPORTED_LABELS + 1);
    const last = format.number(Math.min(part * MAX_EXPORTED_LABELS, of.created));
    return (
      <Button
        key={part}
        size="xs"
        leftSection={<IconPrinter size={16} />}
        loading={print.isPending && print.variables.part === part}
        onClick={() => print.mutate({ importId: of.id, part })}
      >
        {parts === 1 ? t('printThese') : t('printPart', { first, last })}
      </Button>
    );
  });
  return (
    <>
      {buttons}
      <LabelFormatPicker output={output} />
    </>
  );
}
