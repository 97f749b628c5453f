import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ActFrame } from '../../acts/act-frame.tsx';
import type { Assigned, NamedDriver } from './assigned.ts';
import { AssignmentPreview } from './assignment-preview.tsx';
import { ChooseDriver } from './choose-driver.tsx';
import type { Chosen } from './use-selection.ts';

interface Props {
  shipments: Chosen[];
  /** Null: the person chooses one first. */
  driver: NamedDriver | null;
  onClose: () => void;
  onAssigned: (assigned: Assigned) => void;
}

/** Choose a driver, read what will happen, confirm. */
export function AssignDialog({ shipments, driver: given, onClose, onAssigned }: Props) {
  const { t } = useTranslation('dispatch');
  const [driver, setDriver] = useState(given);
  const [first] = shipments;
  return (
    <ActFrame title={t('assign.title', { count: shipments.length })} isWide onClose={onClose}>
      {!driver && first && <ChooseDriver shipment={first} many={shipments.length > 1} onChoose={setDriver} />}
      {driver && (
        <AssignmentPreview
          key={driver.id}
          shipments={shipments}
          driver={driver}
          onOther={() => setDriver(null)}
          onDone={onAssigned}
        />
      )}
    </ActFrame>
  );
}
