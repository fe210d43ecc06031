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

/**
 * JSON that is read back, with what it holds: the types are in schema/json.ts. An erasure that has not looked has
 * erased nothing yet.
 */
const columns = {
  'backtests.failure': 'JsonColumn<Failed> | null',
  'erasures.doomed': 'JsonColumn<readonly string[]> | null',
  'erasures.erased': 'Generated<JsonColumn<Partial<Erased>>>',
  'erasures.failure': 'JsonColumn<Failed> | null',
  'evaluations.failure': 'JsonColumn<Failed> | null',
  'gfm_versions.files': 'JsonColumn<FileHashes>',
  'ingestions.failure': 'JsonColumn<Failed> | null',
  'ingestions.files': 'JsonColumn<readonly IngestionFile[]>',
  'ingestions.kind': "Generated<'delivery' | 'reread'>",
  'ingestions.metadata': 'Generated<JsonColumn<Metadata>>',
  'ingestions.progress': 'JsonColumn<{ readonly phase: string }> | null',
  'model_gates.policy': 'JsonColumn<GatePolicy>',
  'model_versions.files': 'JsonColumn<FileHashes>',
  'model_versions.warnings': 'Generated<JsonColumn<readonly ModelWarning[]>>',
  'notifications.said': 'JsonColumn<SaidNotification> | null',
  'outcomes.source': "'api' | 'tables'",
  'replays.asked': 'JsonColumn<ReplayAsked>',
  'replays.differences': 'Generated<JsonColumn<readonly ReplayDifference[]>>',
  'replays.origin': "'request' | 'self_check'",
  'replays.failure': 'JsonColumn<Failed> | null',
  'replays.gone': 'Generated<JsonColumn<ReplayGone>>',
  'rfm_versions.files': 'JsonColumn<FileHashes>',
  'tasks.labels': 'Generated<JsonColumn<LabelFiles>>',
  'tasks.question': 'JsonColumn<SaidQuestions> | null',
  'training_runs.failure': 'JsonColumn<Failed> | null',
  'training_runs.warnings': 'Generated<JsonColumn<readonly ModelWarning[]>>',
  'validations.failure': 'JsonColumn<Failed> | null',
  'watch_list_entries.history': 'Generated<JsonColumn<readonly ScorePoint[]>>',
  'watch_list_entries.status': "Generated<'waiting' | 'scored' | 'unknown' | 'refused'>",
  'watch_list_moves.because': "'data' | 'time' | 'version'",
  'watch_lists.failure': 'JsonColumn<Failed> | null',
  'watch_lists.threshold': 'JsonColumn<MoveThreshold> | null',
};
const jsonTypes = [
  ...['Erased', 'Failed', 'FileHashes', 'GatePolicy', 'IngestionFile', 'JsonColumn', 'LabelFiles', 'Metadata'],
  ...['ModelWarning', 'MoveThreshold', 'ReplayAsked', 'ReplayDifference', 'ReplayGone', 'SaidNotification'],
  ...['SaidQuestions', 'ScorePoint'],
];

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
      ...['--overrides', JSON.stringify({ columns })],
    ]);
    // Types within overrides are not imported by it.
    const types = readFileSync(out, 'utf8').replace(/^import type \{ ColumnType \} from .*\n/m, (line) => {
      return `${line}import type { ${jsonTypes.join(', ')} } from './json.ts';\n`;
    });
    return run('biome', ['format', `--stdin-file-path=${tablesFile}`], types);
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
