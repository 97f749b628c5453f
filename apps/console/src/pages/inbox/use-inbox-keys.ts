import type { InboxEntry } from '@navette/contract';
import { neededFor } from '@navette/contract/console-inbox-kinds';
import { usePageKeys } from '../../keys/use-page-keys.ts';
import { useMay, useSession } from '../../session/session.ts';
import type { ChangeRow, OpenDialog } from './row-acts.ts';
import type { ChangeEntry } from './use-change-entry.ts';
import type { InboxView } from './use-inbox.ts';

interface Options {
  inbox: InboxView;
  changes: ChangeEntry;
  open: (dialog: OpenDialog) => void;
  isDialogOpen: boolean;
}

const rowOf = (key: string) => document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);

/** Keys of the whole page while no dialog is open: j k, arrows, t, s, e, Enter, ? */
export function useInboxKeys({ inbox, changes, open, isDialogOpen }: Options) {
  const ownId = useSession().staff.id;
  const may = useMay();
  const { rows, selectedKey, select, touch } = inbox;

  const focus = (key: string | undefined) => {
    if (key === undefined) return;
    select(key);
    rowOf(key)?.focus();
  };
  const move = (by: 1 | -1) => {
    const shown = rows ?? [];
    const at = shown.findIndex(({ entry }) => entry.key === selectedKey);
    focus(shown[at < 0 ? 0 : at + by]?.entry.key);
  };

  /** Resolving or snoozing leads on to the next entry, so that a person can work down the list. */
  const change: ChangeRow = async (entry, wanted) => {
    touch();
    const shown = rows ?? [];
    const at = shown.findIndex((row) => row.entry.key === entry.key);
    const next = shown.slice(at + 1).find(({ isGone }) => !isGone);
    const answer = await changes.change(entry, wanted);
    if (answer && (wanted.change === 'resolve' || wanted.change === 'snooze')) focus(next?.entry.key);
  };

  /** Undefined: the key means nothing here, and the browser handles it. */
  const actOf = (key: string, { entry, isOnButton }: { entry: InboxEntry | undefined; isOnButton: boolean }) => {
    if (key === 'j' || key === 'ArrowDown') return () => move(1);
    if (key === 'k' || key === 'ArrowUp') return () => move(-1);
    if (key === '?') return () => open({ name: 'keys' });
    if (!entry || !may(neededFor(entry)) || (entry.state !== 'open' && entry.state !== 'taken')) return undefined;
    if (key === 't') return () => void change(entry, { change: entry.takenBy?.id === ownId ? 'release' : 'take' });
    if (key === 's') return () => open({ name: 'snooze', entry });
    if (key === 'e') return () => open({ name: 'resolve', entry });
    // On a button or link, Enter means that button or link.
    return key === 'Enter' && !isOnButton ? () => clickNextAct(entry.key) : undefined;
  };

  usePageKeys(isDialogOpen, ({ key }, isOnButton) => {
    const row = rows?.find(({ entry }) => entry.key === selectedKey);
    const entry = row && !row.isGone ? row.entry : undefined;
    const act = actOf(key, { entry, isOnButton });
    return (
      act &&
      (() => {
        touch();
        act();
      })
    );
  });

  return { change };
}

/** The same as a click: it may be a link to a phone number. */
function clickNextAct(key: string): void {
  rowOf(key)?.querySelector<HTMLElement>('[data-next-act]')?.click();
}
