import type { Schemas } from '@lastro/sdk';

export type Notification = Schemas['Notification'];

/** What is done to one, as the method of the API is called. */
export type Act = 'markRead' | 'markUnread' | 'archive' | 'unarchive';
