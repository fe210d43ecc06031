import { Type } from 'typebox';
import { act } from './act.ts';
import { orNull, text } from './fields.ts';

const chosen = Type.Array(Type.Object({ type: text, channels: orNull(text) }));

export const notificationActs = {
  'notification-preference-update': act({
    means: 'A person chose what they are told, or turned mails off by the link in one.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'audit' },
    payload: {
      preferences: chosen,
      mail_window: Type.Optional(text),
      time_zone: Type.Optional(orNull(text)),
    },
  }),
  'notification-default-update': act({
    means: 'What people are told who have chosen nothing themselves was changed.',
    ...{ readBy: 'view_activity_logs', audit: 'admin', reach: 'audit' },
    payload: { preferences: chosen },
  }),
} as const;
