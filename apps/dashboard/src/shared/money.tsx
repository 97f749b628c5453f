import { useFormat } from '../i18n/use-format.ts';

/** An amount in EUR, as the reader's language writes it. */
export function Money({ euros }: { euros: number }) {
  return <span style={{ whiteSpace: 'nowrap' }}>{useFormat().money(euros)}</span>;
}
