import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMailer } from './mail.ts';
import { openPersonalDomains } from './personal-domains.ts';

type Received = { readonly from: string; readonly to: readonly string[]; readonly source: string };

let server: SMTPServer;
let url: string;
let folder: string;
const received: Received[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-mail-'));
  server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _, done) =>
      username === 'lastro' && password === 'secret' ? done(null, { user: 'lastro' }) : done(new Error('wrong')),
    onData(stream, { envelope }, done) {
      let source = '';
      stream.on('data', (block: Buffer) => {
        source += block.toString('utf8');
      });
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), source });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `smtp://lastro:secret@127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise<void>((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

const mail = {
  to: 'ana@company.example',
  subject: 'Olá: não é = nada',
  text: `${'uma linha longa '.repeat(20)}\nção\n`,
};

test('a mail is handed to the server of the address', async () => {
  const mailer = openMailer({ url, folder, from: 'Lastro <lastro@service.example>' });
  await mailer.send(mail);
  mailer.close();
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ from: 'lastro@service.example', to: ['ana@company.example'] });
  expect(received[0].source).toMatch(/^From: Lastro <lastro@service\.example>/m);
});

test('an address brings no further line or receiver into a mail', async () => {
  const mailer = openMailer({ url, folder, from: 'lastro@service.example' });
  received.length = 0;
  await mailer.send({ ...mail, subject: 'one\r\nBcc: b@evil.example', to: 'ana@company.example' }).catch(() => {});
  mailer.close();
  for (const { to, source } of received) {
    expect(to).toEqual(['ana@company.example']);
    expect(source).not.toMatch(/^Bcc:/im);
  }
});

test('what the server refuses is told to the sender', async () => {
  const mailer = openMailer({ url: url.replace('secret', 'wrong'), folder, from: 'lastro@service.example' });
  await expect(mailer.send(mail)).rejects.toThrow(/535|auth/i);
  mailer.close();
});

test('without a server, a mail is a file that its user alone may read', async () => {
  const own = join(folder, 'mails');
  const mailer = openMailer({ url: null, folder: own, from: 'lastro@service.example' });
  await mailer.send(mail);
  mailer.close();
  const [name, ...others] = readdirSync(own);
  expect(others).toEqual([]);
  expect(readFileSync(join(own, name), 'utf8')).toMatch(/^To: (<)?ana@company\.example(>)?$/m);
  if (process.platform !== 'win32') expect(statSync(join(own, name)).mode & 0o077).toBe(0);
});

test('domains of free mail are known, and the operator changes the list', () => {
  const isPersonal = openPersonalDomains(['consultants.example', '-uol.com.br']);
  expect(['gmail.com', 'mail.gmail.com', 'consultants.example'].map(isPersonal)).toEqual([true, true, true]);
  expect(['company.example', 'uol.com.br', 'notgmail.com', 'gmail.com.evil.example'].map(isPersonal)).toEqual(
    Array.from({ length: 4 }, () => false),
  );
});
