import { Modal } from '@mantine/core';
import type { InboxEntry } from '@navette/contract';
import { useReturnFocus } from '@navette/ui/parts/use-return-focus.ts';
import { useTranslation } from 'react-i18next';
import type { Conflict } from '../../acts/conflict.ts';
import { KeySheet } from '../../keys/key-sheet.tsx';
import { ActDialog } from './acts/act-dialog.tsx';
import { ResolveForm } from './resolve-form.tsx';
import type { ChangeRow, OpenDialog } from './row-acts.ts';
import { SnoozeChoices } from './snooze-choices.tsx';
import { useDescribeEntry } from './use-describe-entry.ts';

interface Props {
  dialog: OpenDialog | null;
  onClose: () => void;
  onChange: ChangeRow;
  onConflict: (key: string, conflict: Conflict) => void;
}

const KEYS = [
  [['j', '↓'], 'down'],
  [['k', '↑'], 'up'],
  [['Enter'], 'act'],
  [['t'], 'take'],
  [['s'], 'snooze'],
  [['e'], 'resolve'],
  [['?'], 'sheet'],
  [['Esc'], 'close'],
] as const;

/** The dialog that is open, if any. */
export function EntryDialogs({ dialog, onClose, onChange, onConflict }: Props) {
  if (!dialog) return null;
  if (dialog.name === 'act') {
    const { entry } = dialog;
    return <ActDialog entry={entry} onClose={onClose} onConflict={(conflict) => onConflict(entry.key, conflict)} />;
  }
  return <SmallDialog dialog={dialog} onClose={onClose} onChange={onChange} />;
}

interface SmallProps {
  dialog: Exclude<OpenDialog, { name: 'act' }> | { name: 'act' | 'snooze' | 'resolve'; entry: InboxEntry };
  onClose: () => void;
  onChange: ChangeRow;
}

function SmallDialog({ dialog, onClose, onChange }: SmallProps) {
  const { t } = useTranslation('inbox');
  const { t: tCommon } = useTranslation();
  const describe = useDescribeEntry();
  useReturnFocus();
  const change: ChangeRow = async (entry, wanted) => {
    onClose();
    await onChange(entry, wanted);
  };
  const titles = { keys: t('keys.title'), snooze: t('snooze.title'), resolve: t('resolve.title'), act: '' };
  return (
    <Modal
      opened
      onClose={onClose}
      title={titles[dialog.name]}
      closeButtonProps={{ 'aria-label': tCommon('close') }}
      returnFocus={false}
    >
      {dialog.name === 'keys' && <KeySheet keys={KEYS.map(([keys, name]) => [keys, t(`keys.${name}`)])} />}
      {dialog.name === 'snooze' && (
        <SnoozeChoices
          why={describe(dialog.entry).why}
          onChosen={(until) => void change(dialog.entry, { change: 'snooze', until: until.toISOString() })}
        />
      )}
      {dialog.name === 'resolve' && (
        <ResolveForm
          why={describe(dialog.entry).why}
          onResolve={(note) => void change(dialog.entry, { change: 'resolve', ...(note ? { note } : {}) })}
        />
      )}
    </Modal>
  );
}
