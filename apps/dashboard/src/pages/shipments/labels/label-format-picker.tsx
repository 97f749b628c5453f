import { Button, Popover, Radio, SimpleGrid, Stack, Text } from '@mantine/core';
import type { LabelFormat } from '@navette/contract';
import { IconChevronDown } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './label-format-picker.module.css';
import type { LabelOutput } from './use-label-output.ts';

const FORMATS = ['page', 'a4', 'zpl'] as const satisfies LabelFormat[];

interface Props {
  output: LabelOutput;
  size?: 'xs' | 'sm';
  onToggle?: (opened: boolean) => void;
}

/** Shows how labels are printed, and lets the member change it. */
export function LabelFormatPicker({ output, size = 'xs', onToggle }: Props) {
  const { t } = useTranslation('shipments');
  const { format, setFormat, firstPosition } = output;
  const name = t(`labelFormats.${format}.short`);
  const chosen = format === 'a4' && firstPosition > 1 ? t('fromPosition', { name, position: firstPosition }) : name;
  return (
    <Popover
      position="top"
      middlewares={{ flip: true, shift: { padding: 8, crossAxis: true } }} // whole on the screen, also over its button
      withArrow
      trapFocus
      returnFocus
      shadow="md"
      width={300}
      onOpen={() => onToggle?.(true)}
      onClose={() => setTimeout(() => onToggle?.(false))} // once the key that closed it has been handled
    >
      <Popover.Target>
        <Button
          size={size}
          px="sm"
          variant="default"
          rightSection={<IconChevronDown size={14} />}
          style={{ flex: '0 1 auto' }}
          aria-label={t('labelFormat', { name: chosen })}
        >
          {chosen}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="md">
          <Radio.Group
            label={t('labelFormatTitle')}
            value={format}
            onChange={(value) => setFormat(value as LabelFormat)}
          >
            <Stack gap="sm" mt="xs">
              {FORMATS.map((value) => (
                <Radio
                  key={value}
                  value={value}
                  label={t(`labelFormats.${value}.name`)}
                  description={t(`labelFormats.${value}.text`)}
                />
              ))}
            </Stack>
          </Radio.Group>
          {format === 'a4' && <SheetPicture output={output} />}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const POSITIONS = ['topLeft', 'topRight', 'bottomLeft', 'bottomRight'] as const;

/** A small sheet, on which the member points at the first free label. */
function SheetPicture({ output: { firstPosition, setFirstPosition } }: { output: LabelOutput }) {
  const { t } = useTranslation('shipments');
  return (
    <Radio.Group
      label={t('firstLabel')}
      description={t('firstLabelHint')}
      value={String(firstPosition)}
      onChange={(value) => setFirstPosition(Number(value))}
    >
      <SimpleGrid cols={2} spacing={4} verticalSpacing={4} className={styles.sheet ?? ''}>
        {POSITIONS.map((place, index) => (
          <Radio.Card
            key={place}
            value={String(index + 1)}
            aria-label={t(`positions.${place}`)}
            className={styles.label ?? ''}
            data-used={index + 1 < firstPosition}
          >
            <Text size="sm" fw={600} inherit>
              {index + 1}
            </Text>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}
