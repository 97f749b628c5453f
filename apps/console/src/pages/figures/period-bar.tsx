import { Group, SegmentedControl } from '@mantine/core';
import { LONGEST_PERIOD } from '@navette/contract/console-figure-kinds';
import { DayField } from '@navette/ui/parts/day-field.tsx';
import { useTranslation } from 'react-i18next';
import { latestEnd, type Period, PRESETS, periodOf, presetOf } from './periods.ts';

interface Props {
  period: Period;
  today: string;
  onChange: (period: Period) => void;
}

/** Usual periods as one click, any other by its two days. */
export function PeriodBar({ period: { from, to }, today, onChange }: Props) {
  const { t } = useTranslation('figures');
  const change = (next: Period) => {
    if (next.from && next.to) onChange({ ...next, to: clamp(next) });
  };
  return (
    <Group gap="md" align="flex-end" mb="lg">
      <SegmentedControl
        aria-label={t('period')}
        data={PRESETS.map((preset) => ({ value: preset, label: t(`presets.${preset}`) }))}
        value={presetOf({ from, to }, today) ?? ''}
        onChange={(value) => {
          const preset = PRESETS.find((one) => one === value);
          if (preset) onChange(periodOf(preset, today));
        }}
      />
      <Group gap="xs" align="flex-end">
        <DayField label={t('from')} value={from} max={today} onDay={(day) => change({ from: day, to })} />
        <DayField
          label={t('to')}
          value={to}
          min={from}
          max={latestEnd(from, LONGEST_PERIOD)}
          onDay={(day) => change({ from, to: day })}
        />
      </Group>
    </Group>
  );
}

/** The end moves with the start where the period would be empty or too long. */
function clamp({ from, to }: Period): string {
  if (to < from) return from;
  const latest = latestEnd(from, LONGEST_PERIOD);
  return to > latest ? latest : to;
}
