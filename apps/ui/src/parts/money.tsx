import { useFormat } from '../i18n/use-format.ts';

/** An amount in EUR, formatted for the current language. */
export function Money({ euros }: { euros: number }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{useFormat().money(euros)}</span>;
}
