import { Modal } from '@mantine/core';
import type { AssignmentResult } from '@navette/contract';
import { useReturnFocus } from '@navette/ui/parts/use-return-focus.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { KeySheet } from '../../keys/key-sheet.tsx';
import { AssignDialog } from './assign-dialog.tsx';
import type { Assigned, NamedDriver } from './assigned.ts';
import { AssignmentResults } from './assignment-results.tsx';
import type { Chosen } from './use-selection.ts';

export type BoardDialog =
  | { name: 'keys' }
  | { name: 'results'; act: 'assign' | 'undo'; results: AssignmentResult[] }
  | { name: 'assign'; shipments: Chosen[]; driver: NamedDriver | null };

interface Props {
  dialog: BoardDialog | null;
  onClose: () => void;
  onAssigned: (assigned: Assigned) => void;
}

const KEYS = [
  [['j', '↓'], 'down'],
  [['k', '↑'], 'up'],
  [['x', 'Space'], 'select'],
  [['Shift', '↓'], 'extend'],
  [['a', 'Enter'], 'assign'],
  [['z'], 'undo'],
  [['o'], 'page'],
  [['/'], 'driver'],
  [['1', '2'], 'lists'],
  [['Esc'], 'clear'],
  [['?'], 'sheet'],
] as const;

/** The dialog that is open, if any. */
export function DispatchDialogs({ dialog, onClose, onAssigned }: Props) {
  const { t } = useTranslation('dispatch');
  if (dialog === null) return null;
  if (dialog.name === 'assign') {
    const { shipments, driver } = dialog;
    return <AssignDialog shipments={shipments} driver={driver} onClose={onClose} onAssigned={onAssigned} />;
  }
  if (dialog.name === 'results') {
    return (
      <SmallDialog title={t('results.rows')} onClose={onClose}>
        <AssignmentResults results={dialog.results} act={dialog.act} onClose={onClose} />
      </SmallDialog>
    );
  }
  return (
    <SmallDialog title={t('keys.title')} onClose={onClose}>
      <KeySheet keys={KEYS.map(([keys, name]) => [keys, t(`keys.${name}`)])} />
    </SmallDialog>
  );
}

function SmallDialog({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  useReturnFocus();
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }} returnFocus={false}>
      {children}
    </Modal>
  );
}
