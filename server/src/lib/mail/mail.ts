// Mails, sent by SMTP, or written to a folder where nobody has set up a server for them.
import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';

export type Mail = { readonly to: string; readonly subject: string; readonly text: string };

export type Mailer = {
  /** Sends a mail. Throws what the server refused it with, or why it could not be reached. */
  send(mail: Mail): Promise<void>;
  close(): void;
};

export type MailOptions = {
  /** `smtp://user:password@host:587` or `smtps://…`; null writes each mail to a file in `folder`. */
  readonly url: string | null;
  readonly folder: string;
  /** The address that mails come from. */
  readonly from: string;
};

/** How long the server may be silent. */
const silenceMs = 20_000;

export function openMailer({ url, folder, from }: MailOptions): Mailer {
  if (url === null) return openFolder(folder, from);
  const transport = createTransport(url, {
    ...{ from, disableFileAccess: true, disableUrlAccess: true },
    ...{ connectionTimeout: silenceMs, greetingTimeout: silenceMs, socketTimeout: silenceMs },
  } as Parameters<typeof createTransport>[1]);
  return {
    async send({ to, subject, text }) {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
    },
    close: () => transport.close(),
  };
}

function openFolder(folder: string, from: string): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send({ to, subject, text }) {
      const { message } = await transport.sendMail({ from, to: { name: '', address: to }, subject, text });
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.eml`;
      const partial = join(folder, `${name}.partial`);
      await writeFile(partial, message as Buffer, { mode: 0o600 });
      await rename(partial, join(folder, name));
    },
    close: () => {},
  };
}
