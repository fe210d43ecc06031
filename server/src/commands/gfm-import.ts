import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { isDay } from '../lib/time-zone.ts';
import { isTableFile } from '../ml/contract/files.ts';
import { importFiles } from '../ml/gfm/facts/import.ts';
import { type FactStore, writeStore } from '../ml/gfm/facts/store.ts';
import { importRegister, type RegisterOptions } from '../ml/gfm/register/import.ts';
import { readArguments, requireNewFolder, type Usage } from './arguments.ts';
import { openProgress } from './progress.ts';

export const gfmImportUsage = {
  usage: 'gfm import <files or folders…> --out <store> [--layout br-register [--published YYYY-MM-DD] [--synthetic]]',
  about: `Makes a store of dated facts of files of nodes and edges (CSV, Parquet, JSONL), to train a graph model on.

  Nodes   id, kind (company, individual, asset, event, other), optionally known_at and synthetic; every other column is an attribute
  Edges   subject, relation, object, and from, to (empty while it goes on) or at; optionally weight, known_at, subject_kind, object_kind
  --out   a folder to make; a store is never changed
  --layout br-register   the files are Brazil's open company register as it is published: Empresas, Estabelecimentos and
          Sócios, unpacked, without a header; a folder means every file in it
  --published   the day the register came out: nothing in it was known before
  --synthetic   the register's files are made up`,
  positionals: 'some',
  options: { out: 'value', layout: 'value', published: 'value', synthetic: 'flag' },
  required: ['out'],
} as const satisfies Usage;

/** Makes a fact store from files. */
export async function gfmImportCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, gfmImportUsage);
  const folder = resolve(values.out!);
  requireNewFolder('--out', folder);
  const progress = openProgress(log);
  const isRegister = values.layout === 'br-register';
  if (values.layout !== undefined && !isRegister)
    throw new Failure('invalid', `--layout ${values.layout}: expected br-register`);
  if (!isRegister && (values.published !== undefined || values.synthetic !== undefined))
    throw new Failure(
      'invalid',
      '--published and --synthetic go with --layout br-register: other files say it in their columns',
    );
  const files = words.flatMap((path) => filesIn(path, isRegister));
  const say = (line: string) => progress.say(line);
  const { store, report } = isRegister
    ? await importRegister(files, registerOptions(values.published, values.synthetic !== undefined), say)
    : await importFiles(files, say);
  const [first] = report.rejects;
  if (first !== undefined)
    progress.say(
      `warning: ${report.rejectedTotal} rows or values could not be used; the first: ${first.file}, row ${first.row}${first.column === null ? '' : `, column ${first.column}`}: ${first.reason}`,
    );
  await writeStore(folder, store);
  progress.say(`${told(store)} in ${folder}${store.isSynthetic ? '; all of it made up' : ''}`);
  return 0;
}

function registerOptions(published: string | undefined, isSynthetic: boolean): RegisterOptions {
  if (published === undefined) return { isSynthetic };
  const day = isDay(published) ? Date.parse(`${published}T00:00:00Z`) * 1000 : Number.NaN;
  if (Number.isNaN(day)) throw new Failure('invalid', `--published ${published} is not a day, written YYYY-MM-DD`);
  return { isSynthetic, publishedAt: day };
}

function filesIn(path: string, isRegister: boolean): string[] {
  if (!existsSync(path)) throw new Failure('not_found', `${path} does not exist`);
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path)
    .filter((name) => (isRegister ? !name.startsWith('.') : isTableFile(name)))
    .sort();
  if (files.length === 0)
    throw new Failure('invalid', `${path} holds no ${isRegister ? '' : '.csv, .parquet or .jsonl '}file`);
  return files.map((file) => join(path, file));
}

function told({ entities, facts, relations }: FactStore): string {
  return `${entities.size} entities, ${facts.subject.length} facts of ${relations.length} relations`;
}
