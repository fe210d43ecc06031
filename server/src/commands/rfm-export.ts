import { basename, resolve } from 'node:path';
import { Failure } from '../lib/failure.ts';
import { wallClock } from '../lib/time-zone.ts';
import type { Contract, TableContract } from '../ml/contract/contract.ts';
import { type ExportedModel, snapshotOf, writeExport } from '../ml/export/export.ts';
import { readRfm } from '../ml/rfm/folder.ts';
import { readVersion } from '../ml/version/version.ts';
import { readArguments, requireNewFolder } from './arguments.ts';
import { rfmExportUsage } from './rfm-usage.ts';

/** Writes an encoder and models into one export folder. Throws Failure as `writeExport` does. */
export async function rfmExportCommand(args: readonly string[], log: (line: string) => void): Promise<number> {
  const { words, values } = readArguments(args, rfmExportUsage);
  const [encoder, ...versions] = words.map((word) => resolve(word)) as [string, ...string[]];
  const out = resolve(values.out!);
  requireNewFolder('--out', out);
  const language = values.language ?? 'en';
  if (language !== 'en' && language !== 'pt-BR')
    throw new Failure('invalid', `--language must be en or pt-BR, not ${language}`);
  const timeZone = values['time-zone'] ?? 'UTC';
  requireTimeZone(timeZone);
  const rfm = readRfm(encoder);
  const opened = versions.map((folder) => ({ folder, ...readVersion(folder) }));
  await writeExport(out, {
    ...{ modelSnapshot: snapshotOf(encoder), entity: rfm.entity, timeZone, language, encoder },
    contract: joinContracts([rfm.contract, ...opened.map(({ contract }) => contract)]),
    ...(values.gfm !== undefined && { graphModel: resolve(values.gfm) }),
    models: namedModels(opened.map(({ folder, task }) => ({ folder, modelId: task.name }))),
  });
  log(`wrote the encoder of ${rfm.entity} and ${versions.length} models to ${out}; its README.md says how to run it`);
  return 0;
}

function requireTimeZone(timeZone: string): void {
  try {
    wallClock(timeZone, 0);
  } catch (cause) {
    throw new Failure('invalid', `--time-zone ${timeZone} is no time zone, such as America/Sao_Paulo`, { cause });
  }
}

const firstAlias = 'production';

/**
 * Names versions by their folders, and gives the first version of each model the alias, unless a folder has that name.
 */
function namedModels(given: readonly Pick<ExportedModel, 'folder' | 'modelId'>[]): ExportedModel[] {
  return given.map(({ folder, modelId }, at) => {
    const versionId = basename(folder);
    const own = given.filter((other) => other.modelId === modelId);
    const isFirst = given.findIndex((other) => other.modelId === modelId) === at;
    const isFree = own.every((other) => basename(other.folder) !== firstAlias);
    return { folder, modelId, versionId, aliases: isFirst && isFree ? [firstAlias] : [] };
  });
}

/** Joins the tables and columns of several contracts. When they differ on a column, the first contract wins. */
function joinContracts([first, ...others]: readonly Contract[]): Contract {
  const tables = new Map<string, TableContract>();
  for (const table of [first!, ...others].flatMap((contract) => contract.tables)) {
    const known = tables.get(table.name);
    const { columns = [], references = [] } = known ?? {};
    const more = <T>(mine: readonly T[], theirs: readonly T[], nameOf: (one: T) => string) => [
      ...mine,
      ...theirs.filter((one) => !mine.some((own) => nameOf(own) === nameOf(one))),
    ];
    tables.set(table.name, {
      ...(known ?? table),
      columns: more(columns, table.columns, ({ name }) => name),
      references: more(references, table.references, ({ column }) => column),
    });
  }
  return { ...first!, tables: [...tables.values()] };
}
