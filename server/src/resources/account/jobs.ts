import type { App } from '../app.ts';
import type { Job } from '../job.ts';
import { type ResetJob, resetQueue, type SignUpJob, signUpQueue } from './queue.ts';
import { sendReset } from './reset-password.ts';
import { sendVerification } from './sign-up.ts';

export const accountJobs = (app: App): Job[] => [
  {
    ...{ queue: signUpQueue, perGroup: 2, leaves: 0 },
    run: (data) => sendVerification(app, data as SignUpJob),
    async giveUp(_, { detail }) {
      app.log.error({ detail }, 'a mail to somebody who signs up could not be made');
    },
  },
  {
    ...{ queue: resetQueue, perGroup: 2, leaves: 0 },
    run: (data) => sendReset(app, data as ResetJob),
    async giveUp(_, { detail }) {
      app.log.error({ detail }, 'a mail to reset a password could not be made');
    },
  },
];
