import type { Tx } from '../../access/transactions.ts';
import { newId } from '../../lib/crypto/ids.ts';
import { seal } from '../../lib/crypto/sealed.ts';
import type { App } from '../app.ts';
import { mailQueue } from './queue.ts';
import type { Letter } from './texts.ts';

export type MailJob = { readonly id: string; readonly sealed: string };

/** Queues a mail: it is sent once the transaction has committed. What it says is sealed until then. */
export async function sendMail(app: App, tx: Tx, to: string, letter: Letter): Promise<void> {
  const id = newId('mail');
  const sealed = seal(app.keys.sealing, JSON.stringify({ to, ...letter }), `mails.${id}`);
  await app.queue.send(tx, mailQueue, { id, sealed } satisfies MailJob);
}
