import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { Hours } from '../../shared/hours.tsx';

interface Props {
  of: { date: string | null; timeSlot: string | null };
  /** Text for a shipment without a slot. */
  express: string;
}

export function Slot({ of: { date, timeSlot }, express }: Props) {
  const format = useFormat();
  if (!date) return <>{express}</>;
  return (
    <>
      {format.dayOfSlot(date)}
      {timeSlot && (
        <>
          , <Hours in={timeSlot} />
        </>
      )}
    </>
  );
}
