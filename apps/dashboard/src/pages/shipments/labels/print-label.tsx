import { Button, Group } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { urlOf } from '../../../api/call.ts';
import { LabelFormatPicker } from './label-format-picker.tsx';
import { useLabelOutput } from './use-label-output.ts';
import { usePrintLabels } from './use-print-labels.ts';

interface Props {
  id: string;
  variant?: 'filled' | 'default';
  children: string;
}

/** Prints the label of one shipment in the member's format. The usual one is a link, which the browser can preview. */
export function PrintLabel({ id, variant = 'filled', children }: Props) {
  const output = useLabelOutput();
  const print = usePrintLabels(output);
  const looks = { variant, leftSection: <IconPrinter size={16} />, style: { flex: '1 0 auto' } };
  return (
    <Group gap="xs">
      {output.format === 'page' ? (
        <Button component="a" href={urlOf('readLabel', { params: { id } })} target="_blank" rel="noopener" {...looks}>
          {children}
        </Button>
      ) : (
        <Button onClick={() => print.mutate({ ids: [id] })} loading={print.isPending} {...looks}>
          {children}
        </Button>
      )}
      <LabelFormatPicker output={output} size="sm" />
    </Group>
  );
}
