/** Files, spoilt or whole, given to the service over HTTP; test support. */
import { expect } from 'vitest';
import type { Client } from './service.ts';

export type Sent = {
  readonly name?: string;
  readonly bytes: string | Uint8Array;
  readonly table?: string;
  readonly mode?: string;
  readonly contentType?: string;
};

/** Sends one file, asks for its ingestion, and says what became of it. */
export async function take(by: Client, sent: Sent) {
  const { table = 'orders', mode = 'append' } = sent;
  const id = await send(by, sent, 'in/orders.csv');
  const asked = await by.post('/v1/api/ingestions', { files: [{ file_id: id, table, mode }] });
  expect(asked.status, asked.text).toBe(202);
  const { body } = await by.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(body.failure, JSON.stringify(body.failure)).toBeNull();
  const told = await by.get(`/v1/api/ingestions/${asked.body.id}/deviations`);
  expect(told.status).toBe(200);
  // How the service names what it stores, and where it works, tells a sender nothing.
  expect(JSON.stringify([body.report, told.body.files])).not.toMatch(/[0-9a-f]{64}\.|lastro-service-|\/work\//);
  return { id, ingestion: body, told: told.body };
}

/** Uploads a file, under a name given here where it has none; returns its id. */
export function send(by: Client, { name, bytes, contentType }: Sent, otherwise: string): Promise<string> {
  const path = name ?? otherwise;
  return by.upload(path, bytes, contentType ?? (typed.test(path) ? undefined : 'application/octet-stream'));
}

/** Names that tell what type their bytes are of. */
const typed = /\.(csv|jsonl|parquet)$/;
