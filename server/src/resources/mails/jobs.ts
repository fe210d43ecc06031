import { unseal } from '../../lib/crypto/sealed.ts';
import type { Mail } from '../../lib/mail/mail.ts';
import type { App } from '../app.ts';
import type { Job } from '../job.ts';
import { mailQueue } from './queue.ts';
import type { MailJob } from './send.ts';

export const mailJobs = (app: App): Job[] => [
  {
    queue: mailQueue,
    perGroup: 2,
    leaves: 0,
    async run(data) {
      const { id, sealed } = data as MailJob;
      await app.mailer.send(JSON.parse(unseal(app.keys.sealing, sealed, `mails.${id}`)) as Mail);
    },
    async giveUp(data, { detail }) {
      app.log.error({ mail: (data as MailJob).id, detail }, 'a mail could not be sent');
    },
  },
];
