import { type Language, MESSAGE_KINDS, OPTIONAL_MESSAGES, type OptionalMessage } from '@navette/contract';
import type { Database, Tx } from '../../database/database.ts';
import { wantedMessages } from './announced-shipments.ts';
import type { PreviewedKind } from './preview-message.ts';

export interface MessageChoices {
  language: Language | null;
  messages: { kind: PreviewedKind; isOptional: boolean; isOn: boolean }[];
}

export interface MessageSettingsChange {
  language?: Language | null;
  messages?: { kind: OptionalMessage; isOn: boolean }[];
}

export async function readMessageSettings(db: Database, accountId: string): Promise<MessageChoices> {
  const row = await db
    .selectFrom('message_settings')
    .select(['language', 'off', 'soon_sms'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const wanted: ReadonlySet<string> = wantedMessages({ off: row?.off ?? null, soon_sms: row?.soon_sms ?? null });
  const optional: ReadonlySet<string> = new Set(OPTIONAL_MESSAGES);
  return {
    language: (row?.language ?? null) as Language | null,
    messages: MESSAGE_KINDS.filter((kind) => kind !== 'zone-email').map((kind) => ({
      kind,
      isOptional: optional.has(kind),
      isOn: !optional.has(kind) || wanted.has(kind),
    })),
  };
}

/** Absent fields and kinds stay. The row is locked first, so that two members do not undo each other's change. */
export async function saveMessageSettings(
  tx: Tx,
  accountId: string,
  { language, messages = [] }: MessageSettingsChange,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('message_settings')
    .values({ account_id: accountId, updated_at: now })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ updated_at: now }))
    .execute();
  const current = await tx
    .selectFrom('message_settings')
    .select(['off', 'soon_sms'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const wanted = new Set(wantedMessages(current));
  for (const { kind, isOn } of messages) {
    if (isOn) wanted.add(kind);
    else wanted.delete(kind);
  }
  await tx
    .updateTable('message_settings')
    .set({
      ...(language === undefined ? {} : { language }),
      off: OPTIONAL_MESSAGES.filter((kind) => kind !== 'soon-sms' && !wanted.has(kind)),
      soon_sms: wanted.has('soon-sms'),
    })
    .where('account_id', '=', accountId)
    .execute();
}
