import { Button } from '@mantine/core';
import type { ShipmentPage } from '@navette/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFrame } from '../../acts/act-frame.tsx';
import { CloseReport } from '../../acts/close-report.tsx';
import { useMay } from '../../session/session.ts';

/** While a problem that the recipient reported is open. */
export function CloseReportButton({ shipment }: { shipment: ShipmentPage }) {
  const { t } = useTranslation('acts');
  const [isOpen, setOpen] = useState(false);
  const may = useMay();
  const { id, reference: title, version } = shipment;
  const onDone = () => setOpen(false);
  return (
    <>
      {shipment.hasOpenReport && may('support') && <Button onClick={() => setOpen(true)}>{t('report.submit')}</Button>}
      {isOpen && (
        <ActFrame title={t('titles.close_report', { title })} isWide={false} onClose={onDone}>
          <CloseReport subject={{ id, title, version }} why={null} onDone={onDone} onConflict={() => {}} />
        </ActFrame>
      )}
    </>
  );
}
