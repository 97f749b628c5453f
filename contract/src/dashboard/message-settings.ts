import Type, { type Static } from 'typebox';
import { MESSAGE_KINDS, OPTIONAL_MESSAGES } from '../message-kinds.ts';
import { Closed, File, Nullable, OneOf, Success } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';
import { LANGUAGES } from './roles.ts';

const PREVIEWED = MESSAGE_KINDS.filter((kind) => kind !== 'zone-email');

const MessageSettings = Closed(
  {
    language: Nullable(
      OneOf(LANGUAGES, {
        description:
          'Of messages whose shipment names no `metadata.locale`; null: French, and links follow the browser.',
      }),
    ),
    messages: Type.Array(
      Closed({
        kind: OneOf(PREVIEWED),
        isOptional: Type.Boolean({ description: 'False: always sent.' }),
        isOn: Type.Boolean(),
      }),
      { description: 'In the order in which a recipient gets them.' },
    ),
    sms: Closed({
      today: Type.Integer({ description: 'SMS of the account today, local time.' }),
      perDay: Type.Integer({ description: 'The most that are sent on a day.' }),
    }),
  },
  { title: 'MessageSettings' },
);
export type MessageSettings = Static<typeof MessageSettings>;
const MessageSettingsAnswer = Closed({ success: Success, settings: MessageSettings });

const PreviewQuery = Type.Object({
  kind: Type.Optional(OneOf(PREVIEWED, { description: '`recipient-email` when absent.' })),
  language: Type.Optional(OneOf(LANGUAGES, { description: 'French when absent.' })),
});

export const messageSettingsEndpoints = defineEndpoints({
  readMessageSettings: {
    section: 'Account',
    summary: 'Read which messages recipients get, and in which language',
    answers: { 200: MessageSettingsAnswer },
    needs: 'read',
  },
  changeMessageSettings: {
    section: 'Account',
    summary: 'Change which messages recipients get, and in which language',
    description: 'Fields and kinds that are absent stay as they are.',
    body: Type.Object({
      language: Type.Optional(Nullable(OneOf(LANGUAGES, { description: 'Of messages; null for the default.' }))),
      messages: Type.Optional(
        Type.Array(
          Type.Object({
            kind: OneOf(OPTIONAL_MESSAGES, { description: 'Other kinds are always sent.' }),
            isOn: Type.Boolean({ description: 'Whether it is sent.' }),
          }),
          { maxItems: OPTIONAL_MESSAGES.length, description: 'The kinds to switch.' },
        ),
      ),
    }),
    answers: { 200: MessageSettingsAnswer },
    needs: 'ship',
  },
  previewMessage: {
    section: 'Account',
    summary: 'Read a message about an invented shipment',
    query: PreviewQuery,
    answers: {
      200: Closed({
        success: Success,
        subject: Nullable(Type.String({ description: 'Of an e-mail.' })),
        text: Type.String({ description: 'The SMS, or the e-mail as plain text.' }),
        segments: Nullable(Type.Integer({ description: 'Of an SMS.' })),
      }),
    },
    needs: 'read',
  },
  showMessage: {
    section: 'Account',
    summary: 'Show an e-mail about an invented shipment',
    description: 'The HTML part, as a page that may be shown in a frame. 404 for an SMS.',
    query: PreviewQuery,
    answers: { 200: File('text/html') },
    needs: 'read',
    findsOne: true,
  },
});
