/**
 * SimpleSAMLphp as an identity provider on this machine, from Debian's packages without installing them; test support.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { makeKeyPair } from './key-pair.ts';
import { formWith, openWalker, type SamlPost, samlPostOf, type Walker } from './web-walk.ts';

export type SimpleSamlPhp = {
  readonly entityId: string;
  readonly metadataUrl: string;
  /** How often somebody had to say who they are, rather than being known from their session. */
  readonly logins: number;
  /** Makes a service provider known, whose people get encrypted assertions if it has a certificate for that. */
  trust(sp: { entityId: string; acsUrl: string; certificate?: string }): void;
  /** Does at the provider what a browser does: fills in the form if it is shown, up to the form for us. */
  signIn(url: string, walker?: Walker): Promise<SamlPost>;
  close(): Promise<void>;
};

/** What PHP's own interpreter needs besides what every Debian has. */
const packages = [
  ...['simplesamlphp', 'php8.2-cli', 'php8.2-common', 'php8.2-xml', 'php8.2-mbstring'],
  ...['libsodium23', 'libargon2-1', 'libonig5', 'libxml2', 'libedit2', 'libbsd0'],
];
const extensions = ['ctype', 'dom', 'iconv', 'mbstring', 'posix', 'simplexml', 'tokenizer', 'xml', 'xmlwriter'];

/** Whom it knows, and by what. */
export const phpPerson = { name: 'ana', password: 'ana-of-php', email: 'ana@corp.example', displayName: 'Ana Corp' };

/** Opens the provider, or says in one line why this machine has none. */
export async function openSimpleSamlPhp(): Promise<SimpleSamlPhp | undefined> {
  let installed: string;
  try {
    installed = unpack();
    execFileSync(join(installed, 'usr/bin/php8.2'), ['-n', '-v'], { env: environmentOf(installed), stdio: 'pipe' });
  } catch (cause) {
    console.warn(`SKIPPED: no SimpleSAMLphp to test against: its Debian packages cannot be had (${cause})`);
    return undefined;
  }
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const entityId = `${origin}/idp`;
  const folder = mkdtempSync(join(tmpdir(), 'lastro-php-'));
  configure(folder, origin, entityId);
  const php = start(installed, folder, port);
  const metadataUrl = `${origin}/saml2/idp/metadata.php`;
  await vi.waitUntil(
    () =>
      fetch(metadataUrl).then(
        ({ ok }) => ok,
        () => false,
      ),
    { timeout: 30_000, interval: 100 },
  );

  let logins = 0;

  return {
    entityId,
    metadataUrl,
    get logins() {
      return logins;
    },
    trust: (sp) => writeServiceProvider(folder, sp),
    async signIn(url, walker = openWalker()) {
      const page = await walker.get(url);
      if ('text' in page && page.text.includes('name="SAMLResponse"')) return samlPostOf(page);
      logins++;
      const { action, fields } = formWith('AuthState', page);
      const filled = { ...fields, username: phpPerson.name, password: phpPerson.password };
      return samlPostOf(await walker.post(action, filled));
    },
    async close() {
      const ended = new Promise((resolve) => php.once('exit', resolve));
      php.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The folder that the packages are unpacked in, which stays for the next time. */
function unpack(): string {
  const folder = join(tmpdir(), 'lastro-simplesamlphp-debian');
  if (existsSync(folder)) return folder;
  const building = mkdtempSync(join(tmpdir(), 'lastro-simplesamlphp-'));
  try {
    execFileSync('apt-get', ['download', ...packages], { cwd: building, stdio: 'pipe', timeout: 120_000 });
    const archives = readdirSync(building).filter((name) => name.endsWith('.deb'));
    for (const archive of archives) execFileSync('dpkg', ['-x', join(building, archive), building], { stdio: 'pipe' });
    renameSync(building, folder);
  } catch (error) {
    rmSync(building, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function start(installed: string, folder: string, port: number): ChildProcess {
  const modules = join(installed, 'usr/lib/php/20220829');
  const settings = [
    `extension_dir=${modules}`,
    `session.save_path=${join(folder, 'sessions')}`,
    'error_reporting=0',
    'display_errors=0',
    ...extensions.map((name) => `extension=${name}.so`),
  ];
  const root = join(installed, 'usr/share/simplesamlphp/www');
  const shown = settings.flatMap((setting) => ['-d', setting]);
  return spawn(join(installed, 'usr/bin/php8.2'), ['-n', ...shown, '-S', `127.0.0.1:${port}`, '-t', root], {
    stdio: 'ignore',
    env: { ...environmentOf(installed), SIMPLESAMLPHP_CONFIG_DIR: join(folder, 'config') },
  });
}

function environmentOf(installed: string): Record<string, string> {
  const architecture = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  return { LD_LIBRARY_PATH: join(installed, `usr/lib/${architecture}-linux-gnu`) };
}

function configure(folder: string, origin: string, entityId: string): void {
  for (const name of ['config', 'metadata', 'cert', 'log', 'data', 'sessions']) mkdirSync(join(folder, name));
  const { key, certificate } = makeKeyPair({ name: 'simplesamlphp' });
  writeFileSync(join(folder, 'cert', 'idp.key'), key);
  writeFileSync(join(folder, 'cert', 'idp.crt'), certificate);
  writePhp(join(folder, 'config', 'config.php'), 'config', {
    baseurlpath: `${origin}/`,
    certdir: `${join(folder, 'cert')}/`,
    loggingdir: `${join(folder, 'log')}/`,
    datadir: `${join(folder, 'data')}/`,
    tempdir: join(folder, 'data'),
    secretsalt: 'a salt of this test alone',
    'auth.adminpassword': 'a password of this test alone',
    timezone: 'UTC',
    'logging.handler': 'file',
    'logging.level': 7,
    'enable.saml20-idp': true,
    'module.enable': { core: true, saml: true, exampleauth: true },
    'session.cookie.secure': false,
    'session.phpsession.savepath': join(folder, 'sessions'),
    'store.type': 'phpsession',
    'metadata.sources': [{ type: 'flatfile', directory: join(folder, 'metadata') }],
  });
  writePhp(join(folder, 'config', 'authsources.php'), 'config', {
    people: {
      0: 'exampleauth:UserPass',
      [`${phpPerson.name}:${phpPerson.password}`]: {
        uid: [phpPerson.name],
        mail: [phpPerson.email],
        displayName: [phpPerson.displayName],
      },
    },
  });
  writePhp(join(folder, 'metadata', 'saml20-idp-hosted.php'), 'metadata', {
    [entityId]: {
      host: '__DEFAULT__',
      privatekey: 'idp.key',
      certificate: 'idp.crt',
      auth: 'people',
      'signature.algorithm': 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
      NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      authproc: {
        1: {
          class: 'saml:AttributeNameID',
          attribute: 'uid',
          Format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
        },
      },
    },
  });
}

function writeServiceProvider(folder: string, sp: { entityId: string; acsUrl: string; certificate?: string }): void {
  const encryption =
    sp.certificate === undefined
      ? {}
      : { 'assertion.encryption': true, certData: sp.certificate.replace(/-----[A-Z ]+-----|\s/g, '') };
  writePhp(join(folder, 'metadata', 'saml20-sp-remote.php'), 'metadata', {
    [sp.entityId]: { AssertionConsumerService: sp.acsUrl, ...encryption },
  });
}

type PhpValue = string | number | boolean | readonly PhpValue[] | { readonly [key: string]: PhpValue };

function writePhp(file: string, variable: string, value: PhpValue): void {
  writeFileSync(file, `<?php\n$${variable} = ${toPhp(value)};\n`);
}

function toPhp(value: PhpValue): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`;
  if (typeof value !== 'object') return String(value);
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(
    ([key, each]) => `${isList || key === '0' ? key : toPhp(key)} => ${toPhp(each)}`,
  );
  return `[${entries.join(', ')}]`;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
