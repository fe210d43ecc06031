/** Files as the service is told of them, and what lies in its storage; test support. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Client, TestService } from './service.ts';

type Declared = { id: string; upload_url: string; headers: Record<string, string>; expires_at: string };

export function md5Of(bytes: string | Uint8Array): string {
  return createHash('md5').update(bytes).digest('base64');
}

/** Says which bytes will come, and does not send them. */
export async function declare(client: Client, bytes: string | Uint8Array): Promise<Declared> {
  const files = [{ path: 'orders.csv', content_type: 'text/csv', md5: md5Of(bytes) }];
  const reply = await client.post('/v2/api/files/upload', { files });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.files[0];
}

/** The bytes, and the record that names them. */
export const filesPerObject = 2;

/** Names of all that lies in the storage. */
export function stored(service: TestService): string[] {
  const folder = join(service.folder, 'files');
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
    : [];
}
