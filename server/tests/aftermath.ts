/** What is left when work is done: storage has what rows refer to, and nothing else; test support. */
import { expect } from 'vitest';
import { type Database, system } from '../src/access/transactions.ts';
import type { Service } from '../src/app.ts';
import { sweep } from '../src/resources/maintenance/sweep.ts';

/** After a sweep, storage holds what rows refer to, all of it whole. Returns how many objects it has. */
export async function checkObjects({ app }: Service): Promise<number> {
  const swept = await sweep(app, -1000);
  console.log('swept', swept);
  const keys: string[] = [];
  for await (const { key } of app.storage.list('')) keys.push(key);
  const referenced = await referencedKeys(app.db);
  expect(keys.filter((key) => !referenced.has(key))).toEqual([]);
  expect([...referenced].filter((key) => !keys.includes(key))).toEqual([]);
  for (const key of keys) expect(await app.storage.verify(key), key).toBe(true);
  return keys.length;
}

/**
 * Every ingestion, training and batch went through its statuses once, in order, and told of each. Returns how many there
 * are. `query` is of the owner of the database.
 */
export async function checkLifecycles(query: (text: string) => Promise<unknown>): Promise<number> {
  const lifecycles = (await query(`
    select resource_id, array_agg(sequence order by sequence) as sequences,
      array_agg(coalesce(payload->>'status', type) order by sequence) as told
    from events where resource_type in ('ingestion', 'training_run', 'batch') and type not like '%-download'
    group by resource_id`)) as { resource_id: string; sequences: number[]; told: string[] }[];
  for (const { resource_id, sequences, told } of lifecycles) {
    expect(sequences, resource_id).toEqual(sequences.map((_, at) => at + 1));
    const request = resource_id.startsWith('bat_') ? ['batch-request'] : [];
    expect(told, resource_id).toEqual([...request, 'queued', 'running', 'succeeded']);
  }
  return lifecycles.length;
}

export type KeptSnapshot = { readonly manifest: Manifest; readonly frozen_sha256: string };
type Manifest = { readonly tables: readonly { readonly parts: readonly { path: string; sha256: string }[] }[] };

/** The hashes of all bytes of a snapshot. That of its manifest would have the moments of ingestions in it, too. */
export function hashesOf({ manifest, frozen_sha256 }: KeptSnapshot): string[] {
  return [frozen_sha256, ...manifest.tables.flatMap(({ parts }) => parts.map(({ sha256 }) => sha256))];
}

async function referencedKeys(db: Database): Promise<Set<string>> {
  return system(db, 'test', async (tx) => {
    const root = (row: { organization_id: string; workspace_id: string }) =>
      `${row.organization_id}/${row.workspace_id}`;
    const files = await tx.selectFrom('files').select('storage_key').where('status', '=', 'uploaded').execute();
    const names = await tx.selectFrom('workspaces').select('identifiers_key').execute();
    const snapshots = await tx.selectFrom('snapshots').selectAll().execute();
    const versions = await tx.selectFrom('model_versions').selectAll().execute();
    const results = await tx.selectFrom('batch_files').select('output_key').execute();
    const units = await tx.selectFrom('batch_units').select('errors_key').execute();
    const parts = snapshots.flatMap((row) =>
      (row.manifest as Manifest).tables.flatMap((table) => table.parts.map(({ path }) => `${root(row)}/lake/${path}`)),
    );
    const keys = [
      ...files.map(({ storage_key }) => storage_key),
      ...names.map(({ identifiers_key }) => identifiers_key),
      ...snapshots.map(({ frozen_key }) => frozen_key),
      ...versions.flatMap(({ storage_prefix, files }) =>
        Object.keys(files as object).map((name) => storage_prefix + name),
      ),
      ...results.map(({ output_key }) => output_key),
      ...units.map(({ errors_key }) => errors_key),
      ...parts,
    ];
    return new Set(keys.filter((key) => key !== null));
  });
}
