/** Types of the tables, made from the migrations; test support, and what `npm run schema` writes. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../src/lib/db/migrate.ts';
import { launchPostgres } from '../src/lib/postgres/launch.ts';

const repository = join(import.meta.dirname, '..', '..');

/** Where the types lie. */
export const tablesFile = join(import.meta.dirname, '..', 'src', 'schema', 'tables.ts');

/** Numbers fit in a double here, and JSON goes in as the text it is. */
const typeMapping = { int8: 'number', jsonb: 'ColumnType<unknown, string, string>', xid8: 'string' };

/** Applies the migrations to an empty database and returns the text of its types, formatted. */
export async function generateTables(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-schema-'));
  const postgres = await launchPostgres({ dataDir: join(folder, 'postgres'), log: () => {} });
  try {
    await migrate(postgres.connection, join(import.meta.dirname, '..', 'src', 'schema'));
    const { host, port, user, database } = postgres.connection;
    const out = join(folder, 'tables.ts');
    run('kysely-codegen', [
      ...['--dialect', 'postgres', '--date-parser', 'string', '--exclude-pattern', 'migrations'],
      ...['--url', `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`],
      ...['--type-mapping', JSON.stringify(typeMapping), '--out-file', out],
    ]);
    return run('biome', ['format', `--stdin-file-path=${tablesFile}`], readFileSync(out, 'utf8'));
  } finally {
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(repository, 'run.mjs'), program, ...args], {
    input,
    encoding: 'utf8',
    cwd: repository,
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}${stdout}`);
  return stdout;
}
