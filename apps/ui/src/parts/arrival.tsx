import { useFormat } from '../i18n/use-format.ts';

interface Props {
  of: { from: string; until: string };
}

/** The window in which the driver is expected, as 14:35–14:50. */
export function Arrival({ of: { from, until } }: Props) {
  const format = useFormat();
  return (
    <span style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
      {format.time(from)}–{format.time(until)}
    </span>
  );
}
