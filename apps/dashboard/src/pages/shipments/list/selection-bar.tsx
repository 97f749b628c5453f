import { ActionBar, Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { MAX_EXPORTED_LABELS } from '@navette/contract/limits';
import { IconPrinter } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { callForFile } from '../../../api/call.ts';
import { showFile } from '../../../api/show-file.ts';
import { useExplainError } from '../../../api/use-explain-error.ts';

/** What can be done with the ticked lines; there while any is. */
export function SelectionBar({ ids, onClear }: { ids: string[]; onClear: () => void }) {
  const { t } = useTranslation('shipments');
  const explain = useExplainError();
  const print = useMutation({
    mutationFn: () => callForFile('printLabels', { body: { ids } }),
    onSuccess: (file) => showFile(file, 'navette-labels.pdf'),
    onError: (error) => notifications.show({ color: 'red', title: t('printFailed'), message: explain(error) }),
  });
  const tooMany = ids.length > MAX_EXPORTED_LABELS;
  return (
    <ActionBar opened={ids.length > 0} onClose={onClear} closeOnEscape aria-label={t('selectionLabel')}>
      <Text size="sm" fw={600} px="xs" style={{ whiteSpace: 'nowrap' }}>
        {t('selected', { count: ids.length })}
      </Text>
      {tooMany && (
        <Text size="sm" c="red">
          {t('tooMany', { max: MAX_EXPORTED_LABELS })}
        </Text>
      )}
      <Button
        size="xs"
        leftSection={<IconPrinter size={16} />}
        loading={print.isPending}
        disabled={tooMany}
        onClick={() => print.mutate()}
      >
        {t('print')}
      </Button>
      <ActionBar.CloseButton aria-label={t('clearSelection')} />
    </ActionBar>
  );
}
