import { Select } from '@mantine/core';
import { localDate } from '@navette/ui/formats';
import { DayField } from '@navette/ui/parts/day-field.tsx';
import { useTranslation } from 'react-i18next';

const DAYS = ['any', 'today', 'tomorrow', 'date'] as const;

interface Props {
  /** `today`, `tomorrow`, a date, or empty. */
  day: string;
  onChange: (day: string) => void;
}

/** Chooses a day of delivery. Relative ones stay relative in the URL and in a saved view. */
export function DeliveryFilter({ day, onChange }: Props) {
  const { t } = useTranslation('shipments');
  const chosen = day === '' ? 'any' : day === 'today' || day === 'tomorrow' ? day : 'date';
  const dayOf = (choice: string | null) => (choice === 'date' ? localDate(new Date()) : choice === 'any' ? '' : choice);
  return (
    <>
      <Select
        size="xs"
        w={215}
        aria-label={t('deliveryDay')}
        allowDeselect={false}
        value={chosen}
        onChange={(choice) => onChange(dayOf(choice) ?? '')}
        data={DAYS.map((value) => ({ value, label: t(`deliveryDays.${value}`) }))}
      />
      {chosen === 'date' && <DayField size="xs" aria-label={t('deliveryDate')} value={day} onDay={onChange} />}
    </>
  );
}
