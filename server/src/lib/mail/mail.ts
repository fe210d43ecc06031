// Mails, sent by SMTP, or written to a folder where nobody has set up a server for them.
import { randomBytes } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';

export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same for readers that show HTML. */
  readonly html?: string;
  /** Names the mail, however often it is sent: its Message-ID is made of it. */
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

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
  /** How long the server may be silent. */
  readonly silenceMs?: number;
};

const silenceDefaultMs = 20_000;
/** Longest that sending one mail may take, of so many silences. */
const silencesMax = 3;

export function openMailer({ url, folder, from, silenceMs = silenceDefaultMs }: MailOptions): Mailer {
  const messageOf = messagesFrom(from);
  if (url === null) return openFolder(folder, messageOf);
  const transport = createTransport(url, {
    ...{ from, disableFileAccess: true, disableUrlAccess: true },
    ...{ connectionTimeout: silenceMs, greetingTimeout: silenceMs, socketTimeout: silenceMs },
  } as Parameters<typeof createTransport>[1]);
  return {
    send: (mail) => within(silencesMax * silenceMs, transport.sendMail(messageOf(mail))),
    close: () => transport.close(),
  };
}

/** Makes the messages of mails from an address. Programs that answer mails leave them alone (RFC 3834). */
function messagesFrom(from: string) {
  const domain = /@([^@\s<>]+?)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return ({ to, subject, text, html, id, headers = {} }: Mail) => ({
    ...{ from, to: { name: '', address: to }, subject, text },
    ...(html === undefined ? {} : { html }),
    ...(id === undefined ? {} : { messageId: `<${id}@${domain}>` }),
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
  });
}

/** Throws once it has taken longer, whatever the server still sends. */
async function within(ms: number, sending: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`the mail server took longer than ${ms} ms`)), ms);
  try {
    await Promise.race([sending, late.promise]);
  } finally {
    clearTimeout(timer);
    sending.catch(() => {});
  }
}

/** Why a server did not take a mail. */
export type MailRefusal = {
  /**
   * `address`: there is no such mailbox, and never will be. `mail`: it does not take this mail, whoever it is to.
   * `later`: it may take it another time, or could not be reached.
   */
  readonly kind: 'address' | 'mail' | 'later';
  readonly text: string;
};

const refusalLengthMax = 300;

/**
 * Reads what `send` threw: the reply of the server (RFC 5321 §4.2) and its enhanced status (RFC 3463), if it gave one.
 * A refusal of the login is the operator's to mend, and so for later.
 */
export function readMailRefusal(error: unknown): MailRefusal {
  const { code, responseCode, response, message } = error as Partial<Record<string, unknown>>;
  const text = String(response ?? message ?? error)
    .replace(/\s+/g, ' ')
    .slice(0, refusalLengthMax);
  if (typeof responseCode !== 'number' || responseCode < 500 || code === 'EAUTH') return { kind: 'later', text };
  const enhanced = /\b5\.(\d{1,3})\.(\d{1,3})\b/.exec(text);
  const isOfAddress = enhanced
    ? enhanced[1] === '1' || (enhanced[1] === '2' && enhanced[2] === '1')
    : responseCode === 550 || responseCode === 551 || responseCode === 553;
  return { kind: isOfAddress ? 'address' : 'mail', text };
}

function openFolder(folder: string, messageOf: ReturnType<typeof messagesFrom>): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    async send(mail) {
      const { message } = await transport.sendMail(messageOf(mail));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${randomBytes(4).toString('hex')}.eml`;
      const partial = join(folder, `${name}.partial`);
      await writeFile(partial, message as Buffer, { mode: 0o600 });
      await rename(partial, join(folder, name));
    },
    close: () => {},
  };
}
