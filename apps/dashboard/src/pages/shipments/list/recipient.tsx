import { Text } from '@mantine/core';
import { useFormat } from '@navette/ui/i18n/use-format.ts';
import { useTranslation } from 'react-i18next';
import type { ShipmentLine } from '../shipments-queries.ts';

/** The recipient's name, or the date of its erasure. */
export function Recipient({ line: { recipientName, personalDataErasedAt: erasedAt } }: { line: ShipmentLine }) {
  const { t } = useTranslation('shipments');
  const format = useFormat();
  if (erasedAt === null) return recipientName;
  return (
    <Text span inherit c="dimmed" fs="italic" title={t('erasedOn', { date: format.date(erasedAt) })}>
      {t('erased')}
    </Text>
  );
}
