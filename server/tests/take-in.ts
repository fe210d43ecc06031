/** A contract and its tables given to the service over HTTP; test support. */
import { expect } from 'vitest';
import type { Client } from './service.ts';

/** CSV by name of table. */
export type TableTexts = Readonly<Record<string, string>>;

/** Makes a contract the active one and takes tables in by it. */
export async function takeIn(
  client: Client,
  contract: string,
  tables: TableTexts,
  mode?: 'append' | 'replace',
): Promise<void> {
  const proposed = await client.post('/v1/api/contracts', { document: contract, accept: true });
  expect(proposed.status, proposed.text).toBe(201);
  const sent = await sendTables(client, tables);
  const files = mode === undefined ? sent : sent.map((file) => ({ ...file, mode }));
  const asked = await client.post('/v1/api/ingestions', { files });
  const ingested = await client.finished(`/v1/api/ingestions/${asked.body.id}`);
  expect(ingested.body, ingested.text).toMatchObject({ status: 'succeeded' });
}

/** Uploads tables; returns their files as an ingestion names them. */
export async function sendTables(client: Client, tables: TableTexts): Promise<{ file_id: string; table: string }[]> {
  const files = [];
  for (const [table, text] of Object.entries(tables))
    files.push({ file_id: await client.upload(`${table}.csv`, text), table });
  return files;
}
