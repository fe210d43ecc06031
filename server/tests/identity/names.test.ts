/** Names are data wherever they come out, whatever somebody has put into them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDataFolder, type Program, queryRows, removeDataFolder, startProgram } from '../program.ts';
import type { TestService } from '../service.ts';
import { mailsTo, mailTo, signUp } from './browser.ts';

let folder: string;
let program: Program;
let ana: Awaited<ReturnType<typeof signUp>>;

beforeAll(async () => {
  folder = makeDataFolder();
  program = startProgram(folder, { env: { LOG_LEVEL: 'trace' } });
  const url = await program.answers;
  ana = await signUp({ url, folder } as TestService, 'Ana');
});
afterAll(() => removeDataFolder(folder));

const payloads: Readonly<Record<string, string>> = {
  'a line of its own': 'Ana\n{"level":50,"msg":"forged by a name"}\r\nforged by a name',
  'a header of its own': 'Ana\r\nBcc: victim@elsewhere.example\r\n\r\nforged by a name',
  'codes of a terminal': '\u001b[2J\u001b[31mforged by a name\u001b]0;title\u0007\u009b31m',
  'a page': '<script>alert("x")</script><img src=x onerror=alert(1)>',
  'a formula': '=HYPERLINK("http://elsewhere.example";"x")',
  'a formula after a tab': "\t@SUM(1+1)*cmd|' /C calc'!A0",
  'a formula with a sign': '+1+cmd|x',
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: those that would act on a terminal
const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

/** The mails as they lie in the folder. */
function sources(): string[] {
  const mails = join(folder, 'mails');
  return readdirSync(mails)
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(mails, name), 'utf8'));
}

describe.each(Object.entries(payloads))('T103 a name that is %s', (what, name) => {
  const guest = `guest-${what.replaceAll(' ', '-')}@elsewhere.example`;

  test('is kept and told as it is, as JSON that no browser takes for a page', async () => {
    const renamed = [
      await ana.browser.send('PATCH', '/v1/api/user', { name }),
      await ana.browser.send('PATCH', '/v1/api/organization', { name }),
      await ana.browser.send('PATCH', '/v1/api/workspace', { name }),
      await ana.browser.post('/v1/api/api-keys', { name }),
    ];
    for (const { status, body, text, headers } of renamed) {
      expect(status, text).toBeLessThan(300);
      expect(body.name, text).toBe(name);
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test('is text in a mail, and no header', async () => {
    for (const path of ['/v1/api/invitations', '/v1/api/organization/invitations']) {
      const invited = await ana.browser.post(path, { email: guest, role: 'member' });
      expect(invited.status, invited.text).toBe(201);
    }
    await mailTo({ folder }, guest, /./, 1);
    const mails = sources().filter((source) => source.includes(guest));
    expect(mails).toHaveLength(2);
    for (const mail of mails) {
      const [head, body] = mail.split(/\n\n([\s\S]*)/);
      // Lines that begin with a space go on with the header before.
      const headers = head.replace(/\n[ \t]+/g, ' ').split('\n');
      const names = headers.map((line) => line.split(':', 1)[0].toLowerCase());
      expect(new Set(names).size, head).toBe(names.length);
      for (const header of names)
        expect(['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'auto-submitted']).toContain(
          header.replace(/^content-.*/, 'date'),
        );
      expect(
        headers.find((line) => /^to:/i.test(line)),
        head,
      ).toBe(`To: ${guest}`);
      expect(head).not.toMatch(/[^\x20-\x7e\n]/);
      expect(body).toMatch(/invite/);
      expect(headers.find((line) => /^content-type:/i.test(line))).toMatch(/text\/plain/);
    }
    for (const { text } of mailsTo({ folder }, guest)) {
      expect(text).not.toMatch(/^forged by a name/m);
      expect(text).not.toMatch(controls);
    }
  });

  test('runs in no spreadsheet', async () => {
    const history = await ana.browser.get('/v1/api/organization/members/history');
    expect(history.status).toBe(200);
    expect(history.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const workspace = await ana.browser.get('/v1/api/members/history');
    for (const { text } of [history, workspace])
      for (const cell of cellsOf(text)) expect(cell, JSON.stringify(cell)).not.toMatch(/^[=+\-@\t\r\n]/);
    expect(cellsOf(workspace.text).some((cell) => cell.replace(/^'/, '') === name)).toBe(true);
  });
});

test('T103 every line of the log is one JSON object, whatever name a fault is about', async () => {
  const before = program.lines.length;
  await queryRows(
    folder,
    `create function refuse_key() returns trigger language plpgsql as
       $$ begin raise exception 'a fault about %', new.name using detail = new.name; end $$;
     create trigger refuse_key before insert on api_keys for each row execute function refuse_key()`,
  );
  for (const name of Object.values(payloads)) {
    const failed = await ana.browser.post('/v1/api/api-keys', { name });
    expect(failed.body, failed.text).toMatchObject({ status: 500, code: 'internal' });
    expect(failed.text).not.toMatch(/forged|alert|HYPERLINK|cmd|fault about/);
  }
  await program.said(/\+1\+cmd/);
  const lines = program.lines.slice(before);
  const logged = lines.map((line) => JSON.parse(line)).filter(({ err }) => /a fault about/.test(err?.message));
  expect(logged.map(({ err }) => err.message)).toEqual(Object.values(payloads).map((name) => `a fault about ${name}`));
  expect(lines.filter((line) => controls.test(line))).toEqual([]);
});

/** The cells of CSV (RFC 4180), unquoted. */
function cellsOf(text: string): string[] {
  return [...text.matchAll(/(?:^|,|\r\n)(?:"((?:[^"]|"")*)"|([^",\r\n]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? plain : quoted.replaceAll('""', '"'),
  );
}
