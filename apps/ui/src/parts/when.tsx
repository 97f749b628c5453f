import { useFormat } from '../i18n/use-format.ts';

type Style = 'date' | 'dateTime' | 'dateTimeSeconds' | 'time';

/** An instant in the service's time zone. */
export function When({ at, as = 'dateTime' }: { at: string; as?: Style }) {
  const format = useFormat();
  return (
    <time dateTime={at} title={format.dateTimeSeconds(at)}>
      {format[as](at)}
    </time>
  );
}
