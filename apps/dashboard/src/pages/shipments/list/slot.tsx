import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../i18n/use-format.ts';
import type { ShipmentLine } from '../shipments-queries.ts';

export function Slot({ of: { date, timeSlot } }: { of: ShipmentLine['scheduledDelivery'] }) {
  const { t } = useTranslation('shipments');
  const format = useFormat();
  if (!date) return <>{t('express')}</>;
  return (
    <>
      {format.day(date)}
      {timeSlot && `, ${timeSlot}`}
    </>
  );
}
