import type { Schemas } from '@lastro/sdk';

export type Notification = Schemas['Notification'];
