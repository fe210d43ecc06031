import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Failure } from '../failure.ts';
import { deriveKey, openMasterSecret, parseMasterSecret } from './secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('an absent secret is created for its owner alone and found again', async () => {
  const path = join(folder, 'new', 'secret');
  const secret = await openMasterSecret(path);
  expect(secret.length).toBe(32);
  expect(await openMasterSecret(path)).toEqual(secret);
  expect(parseMasterSecret(readFileSync(path, 'utf8'))).toEqual(secret);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('those who start together agree on one secret and leave no drafts', async () => {
  const path = join(folder, 'race', 'secret');
  const secrets = await Promise.all(Array.from({ length: 20 }, () => openMasterSecret(path)));
  expect(new Set(secrets.map((secret) => Buffer.from(secret).toString('hex'))).size).toBe(1);
  expect(readdirSync(join(folder, 'race'))).toEqual(['secret']);
});

test('a secret that is none, or that others may read, is refused', async () => {
  expect(() => parseMasterSecret('password')).toThrow(Failure);
  const path = join(folder, 'open');
  writeFileSync(path, 'ab'.repeat(32));
  chmodSync(path, 0o644);
  if (process.platform !== 'win32') await expect(openMasterSecret(path)).rejects.toThrow('chmod 600');
  chmodSync(path, 0o600);
  expect(await openMasterSecret(path)).toEqual(new Uint8Array(32).fill(0xab));
});

test('derived keys are those of RFC 5869, test case 3', () => {
  const master = new Uint8Array(22).fill(0x0b);
  expect(Buffer.from(deriveKey(master, '', 42)).toString('hex')).toBe(
    '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8',
  );
  expect(deriveKey(master, 'sessions')).not.toEqual(deriveKey(master, 'urls'));
});
