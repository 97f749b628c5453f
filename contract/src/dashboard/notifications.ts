import Type, { type Static } from 'typebox';
import { NOTIFICATION_KINDS, type NotificationKind, SHOWN_NOTIFICATIONS } from '../notification-kinds.ts';
import { Closed, Id, Instant, Nullable, OneOf, Success } from '../schema-kit.ts';
import { defineEndpoints } from './endpoint.ts';
import { DoneAnswer } from './session.ts';

const Kind = OneOf(Object.keys(NOTIFICATION_KINDS) as NotificationKind[]);

const Notification = Closed(
  {
    id: Id('Notification id'),
    kind: Kind,
    title: Nullable(
      Type.String({ description: 'The host of a webhook, a reference, the name of a key or file, an invoice number.' }),
    ),
    target: Nullable(Type.String({ description: 'Id of what it is about: a shipment, a webhook, an import.' })),
    at: Instant(),
    isRead: Type.Boolean(),
  },
  { title: 'Notification' },
);
export type Notification = Static<typeof Notification>;

const Choice = Closed(
  {
    kind: Kind,
    app: Type.Boolean({ description: 'Listed in the dashboard.' }),
    mail: Type.Boolean({ description: 'Sent by e-mail.' }),
  },
  { title: 'NotificationChoice' },
);
export type NotificationChoice = Static<typeof Choice>;

const ChoicesAnswer = Closed({
  success: Success,
  choices: Type.Array(Choice, { description: 'All kinds that concern the member’s role.' }),
});

export const notificationEndpoints = defineEndpoints({
  listNotifications: {
    section: 'Notifications',
    summary: 'List the member’s notifications',
    needs: 'self',
    answers: {
      200: Closed({
        success: Success,
        notifications: Type.Array(Notification, { description: `Newest first, at most ${SHOWN_NOTIFICATIONS}.` }),
        unread: Type.Integer({ description: 'Of those.' }),
      }),
    },
  },
  markNotificationsRead: {
    section: 'Notifications',
    summary: 'Mark all notifications up to one as read',
    needs: 'self',
    body: Type.Object({ until: Type.String({ maxLength: 36, description: 'Id of the newest one that was shown.' }) }),
    answers: { 200: DoneAnswer },
  },
  readNotificationChoices: {
    section: 'Notifications',
    summary: 'Read the member’s choice of notifications',
    needs: 'self',
    answers: { 200: ChoicesAnswer },
  },
  chooseNotification: {
    section: 'Notifications',
    summary: 'Choose how to be notified of one kind',
    needs: 'self',
    body: Choice,
    answers: { 200: ChoicesAnswer },
  },
});
