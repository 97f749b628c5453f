import { ActionBar, Button, Text } from '@mantine/core';
import { MAX_EXPORTED_LABELS } from '@navette/contract/limits';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { IconPrinter } from '@tabler/icons-react';
import { type RefObject, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../../session/session.ts';
import { LabelFormatPicker } from '../labels/label-format-picker.tsx';
import { useLabelOutput } from '../labels/use-label-output.ts';
import { usePrintLabels } from '../labels/use-print-labels.ts';
import styles from '../shipments.module.css';
import type { ShipmentLine } from '../shipments-queries.ts';
import { CancelSelection } from './cancel-selection.tsx';
import { type ListFilter, toQuery } from './list-filter.ts';

interface Props {
  lines: readonly ShipmentLine[];
  /** The filter of the list, if it has more lines than are loaded. */
  wholeList: ListFilter | null;
  onClear: () => void;
  /** Receives the focus when the bar, which had it, disappears. */
  backTo: RefObject<HTMLElement | null>;
}

/** Actions on the selected lines. Shown while any line is selected. */
export default function SelectionBar({ lines, wholeList, onClear, backTo }: Props) {
  const { t } = useTranslation('shipments');
  const format = useFormat();
  const may = useMay();
  const ids = lines.map(({ id }) => id);
  const output = useLabelOutput();
  const print = usePrintLabels(output);
  const [isChoosing, setChoosing] = useState(false);
  const bar = useRef<HTMLDivElement>(null);
  const close = () => {
    if (bar.current?.contains(document.activeElement)) backTo.current?.focus();
    onClear();
  };
  const isPrinting = (whole: boolean) => print.isPending && (print.variables.ids === undefined) === whole;
  const max = format.number(MAX_EXPORTED_LABELS);
  const tooMany = ids.length > MAX_EXPORTED_LABELS;
  return (
    <ActionBar
      ref={bar}
      opened={ids.length > 0}
      onClose={close}
      closeOnEscape={!isChoosing} // the key closes only what is open above the bar
      aria-label={t('selectionLabel')}
      className={styles.bar ?? ''}
    >
      <Text size="sm" fw={600} px="xs" style={{ whiteSpace: 'nowrap' }}>
        {t('selected', { count: ids.length })}
      </Text>
      {tooMany && (
        <Text size="sm" c="red">
          {t('tooMany', { max })}
        </Text>
      )}
      <Button
        size="xs"
        leftSection={<IconPrinter size={16} />}
        loading={isPrinting(false)}
        disabled={tooMany}
        onClick={() => print.mutate({ ids })}
      >
        {t('print')}
      </Button>
      {wholeList && (
        <Button
          size="xs"
          variant="default"
          loading={isPrinting(true)}
          onClick={() => print.mutate({ filters: toQuery(wholeList) })}
        >
          {t('printAll', { max })}
        </Button>
      )}
      <LabelFormatPicker output={output} onToggle={setChoosing} />
      {may('ship') && <CancelSelection lines={lines} onToggle={setChoosing} />}
      <ActionBar.CloseButton aria-label={t('clearSelection')} />
    </ActionBar>
  );
}
