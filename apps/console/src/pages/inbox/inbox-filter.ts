import type { InboxEntry, InboxKind } from '@navette/contract';
import { INBOX_KINDS } from '@navette/contract/console-inbox-kinds';

/** The lists of the inbox. The first one, everything that needs a person now, is the default. */
export const LISTS = ['now', 'mine', 'snoozed', 'resolved'] as const;
export type InboxList = (typeof LISTS)[number];

/** The search parameters of the page. */
export interface InboxFilter {
  list?: Exclude<InboxList, 'now'>;
  kind?: InboxKind;
}

export function readInboxFilter({ list, kind }: Record<string, unknown>): InboxFilter {
  return {
    ...(LISTS.some((one) => one === list && one !== 'now') ? { list: list as NonNullable<InboxFilter['list']> } : {}),
    ...(typeof kind === 'string' && Object.hasOwn(INBOX_KINDS, kind) ? { kind: kind as InboxKind } : {}),
  };
}

/** Whether an entry that was just changed still belongs to the list. */
export function belongsTo(list: InboxList, { state, takenBy }: InboxEntry, ownId: string): boolean {
  if (list === 'now') return state === 'open' || state === 'taken';
  if (list === 'mine') return state === 'taken' && takenBy?.id === ownId;
  return state === list;
}
