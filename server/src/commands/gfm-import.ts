import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { isTableFile } from '../ml/contract/files.ts';
import { importFiles } from '../ml/gfm/facts/import.ts';
import { type FactStore, writeStore } from '../ml/gfm/facts/store.ts';
import { readArguments, requireNewFolder, type Usage } from './arguments.ts';
import { openProgress } from './progress.ts';

export const gfmImportUsage = {
  usage: 'gfm import <files or folders…> --out <store>',
  about: `Makes a store of dated facts of files of nodes and edges (CSV, Parquet, JSONL), to train a graph model on.

  Nodes   id, kind (company, individual, asset, event, other), optionally known_at and synthetic; every other column is an attribute
  Edges   subject, relation, object, and from, to (empty while it goes on) or at; optionally weight, known_at, subject_kind, object_kind
  --out   a folder to make; a store is never changed`,
  positionals: 'some',
  options: { out: 'value' },
  required: ['out'],
} as const satisfies Usage;

/** Makes a store of files. */
export async function gfmImportCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, gfmImportUsage);
  const folder = resolve(values.out!);
  requireNewFolder('--out', folder);
  const progress = openProgress(log);
  const { store, report } = await importFiles(words.flatMap(filesIn), (line) => progress.say(line));
  for (const warning of report.warnings) progress.say(`warning: ${warning}`);
  await writeStore(folder, store);
  progress.say(`${told(store)} in ${folder}${store.isSynthetic ? '; all of it made up' : ''}`);
  return 0;
}

function filesIn(path: string): string[] {
  if (!existsSync(path)) throw new Failure('not_found', `${path} does not exist`);
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path).filter(isTableFile).sort();
  if (files.length === 0) throw new Failure('invalid', `${path} holds no .csv, .parquet or .jsonl file`);
  return files.map((file) => join(path, file));
}

function told({ entities, facts, relations }: FactStore): string {
  return `${entities.size} entities, ${facts.subject.length} facts of ${relations.length} relations`;
}
