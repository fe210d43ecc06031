import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from '../lib/failure.ts';
import { type CheckReport, checkFile, readKeys } from '../ml/contract/check.ts';
import type { Contract, TableContract } from '../ml/contract/contract.ts';
import { diffContracts } from '../ml/contract/diff.ts';
import { findTableFiles, isFolder, tableNameOf } from '../ml/contract/files.ts';
import type { StatedGuess } from '../ml/contract/guess.ts';
import { inferContract } from '../ml/contract/infer.ts';
import { sayNotice } from '../ml/contract/notices.ts';
import { parseContract } from '../ml/contract/parse.ts';
import { nextVersion } from '../ml/contract/propose-version.ts';
import { readValues, type Values } from '../ml/contract/renames.ts';
import type { KeysOf } from '../ml/contract/rules.ts';
import { warnOfGuesses } from '../ml/contract/warnings.ts';
import { weigh } from '../ml/contract/weigh.ts';
import { writeContract } from '../ml/contract/write.ts';

type Output = { write(text: string): unknown };
type Log = (line: string) => void;

const help = `usage:
  contract infer <folder> [--out contract.yaml] [--guesses guesses.json]
      propose a contract for the tables of a folder (CSV, Parquet, JSONL), with reasons as comments
  contract check <contract.yaml> <folder | file> [--table name] [--now 2024-01-31T00:00:00Z] [--proposal contract.yaml]
                 [--earlier folder]
      check files against a contract; exit code 1 when something deviates so that a service would refuse it.
      --earlier: files of before, by whose rows columns under other names are recognised
  contract diff <before.yaml> <after.yaml>
      list what changes; exit code 1 when something breaking does
`;

/**
 * Runs `contract infer | check | diff`. Returns the exit code: 0, 1 for deviations or breaking changes, 2 for misuse.
 */
export async function contractCommand(args: string[], out: Output, log: Log): Promise<number> {
  const [verb, ...rest] = args;
  if (verb === undefined || verb === 'help' || args.includes('--help') || args.includes('-h')) {
    out.write(help);
    return verb === undefined ? 2 : 0;
  }
  try {
    if (verb === 'infer') return await infer(rest, out, log);
    if (verb === 'check') return await check(rest, out, log);
    if (verb === 'diff') return await diff(rest, out);
    throw new Failure('invalid', `contract ${verb} is not a command: use infer, check or diff (contract --help).`);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log(error.message);
    for (const problem of error.problems) log(`  ${problem.at}: ${problem.message}`);
    return 2;
  }
}

/**
 * Parses the words and options of one verb. Throws Failure 'invalid' for an unknown option or the wrong number of
 * words.
 */
function readWords<O extends string>(
  args: string[],
  names: readonly string[],
  options: readonly O[],
): { words: string[]; values: Partial<Record<O, string>> } {
  try {
    const { positionals, values } = parseArgs({
      args,
      allowPositionals: true,
      options: Object.fromEntries(options.map((option) => [option, { type: 'string' as const }])),
    });
    if (positionals.length === names.length)
      return { words: positionals, values: values as Partial<Record<O, string>> };
  } catch (error) {
    throw new Failure('invalid', `${error instanceof Error ? error.message : error} (contract --help shows the usage)`);
  }
  throw new Failure(
    'invalid',
    `expected ${names.map((name) => `<${name}>`).join(' ')} (contract --help shows the usage)`,
  );
}

async function infer(args: string[], out: Output, log: Log): Promise<number> {
  const { words, values } = readWords(args, ['folder'], ['out', 'guesses']);
  const { contract, guesses } = await inferContract(words[0], log);
  const text = writeContract(
    contract,
    guesses.map(({ table, column, kind, value, confidence, applied, reason }) => ({
      table,
      column,
      kind,
      text: applied ? `${confidence}: ${reason}` : `low: ${kind} ${value}? ${reason}`,
    })),
  );
  if (values.out === undefined) out.write(text);
  else await writeFile(values.out, text);
  if (values.guesses !== undefined) await writeFile(values.guesses, `${JSON.stringify(guesses, null, 2)}\n`);
  for (const line of summarize(contract, guesses)) log(line);
  return 0;
}

function summarize(contract: Contract, guesses: readonly StatedGuess[]): string[] {
  const rows = contract.tables.map((table) => {
    const time = table.time;
    const timeText =
      time === undefined
        ? '-'
        : 'column' in time
          ? [time.column, ...(time.clock === undefined ? [] : [time.clock])].join(' + ')
          : `of ${time.reference}`;
    const references = table.references.map((to) => (to.column === to.key ? to.table : `${to.column} → ${to.table}`));
    return [table.name, table.key.join(' + ') || '-', timeText, references.join(', ') || '-'];
  });
  const doubts = guesses.filter((guess) => guess.confidence === 'low').length;
  const table = [['table', 'key', 'time', 'references'], ...rows];
  const widths = [0, 1, 2].map((i) => Math.max(...table.map((row) => row[i].length)));
  const lines = table.map((row) => row.map((cell, i) => (i < 3 ? cell.padEnd(widths[i]) : cell)).join('  '));
  const warnings = warnOfGuesses(guesses).map((notice) => `warning: ${sayNotice(notice)}`);
  return [...lines, ...warnings, `${guesses.length} guesses, ${doubts} of them doubtful: read the comments marked low`];
}

async function check(args: string[], out: Output, log: Log): Promise<number> {
  const { words, values } = readWords(
    args,
    ['contract.yaml', 'folder | file'],
    ['table', 'now', 'proposal', 'earlier'],
  );
  const [contractPath, place] = words as [string, string];
  const contract = await readContract(contractPath);
  let proposed = contract;
  const now = values.now === undefined ? undefined : Date.parse(values.now) * 1000;
  if (Number.isNaN(now)) throw new Failure('invalid', `--now ${values.now} is not a date such as 2024-01-31.`);
  const isAll = isFolder(place);
  const files = isAll ? findTableFiles(place) : [{ table: values.table ?? tableNameOf(place), paths: [place] }];
  const pathsOf = new Map(files.map(({ table, paths }) => [table, paths]));
  const earlier = new Map(
    (values.earlier === undefined ? [] : findTableFiles(values.earlier)).map(({ table, paths }) => [table, paths]),
  );
  // As in a service, references may lead to rows that were there before.
  const keysOf = keysFrom(contract, (name) => [...(pathsOf.get(name) ?? []), ...(earlier.get(name) ?? [])]);
  let found = 0;
  for (const { table: name, paths } of files) {
    const table = contract.tables.find((other) => other.name === name);
    if (table === undefined) {
      found++;
      out.write(`${name}: the contract has no such table\n`);
      continue;
    }
    for (const path of paths) {
      log(`checking ${path}`);
      const earlierOf = (columns: readonly string[]) => readEarlier(table, columns, earlier.get(name) ?? []);
      const report = await checkFile(path, table, contract, { keysOf, earlierOf, ...(now !== undefined && { now }) });
      const weighed = weigh(report, table);
      found += weighed.grave.length;
      writeReport(report, weighed, paths.length > 1 ? `${name}/${basename(path)}` : name, out);
      proposed = adopt(proposed, report);
    }
  }
  for (const table of contract.tables) {
    if (isAll && !pathsOf.has(table.name)) {
      found++;
      out.write(`${table.name}: no file in ${place}\n`);
    }
  }
  const changes = diffContracts(contract, proposed);
  if (changes.length > 0) {
    const isBreaking = changes.some((change) => change.breaking);
    const next = { ...proposed, version: nextVersion(contract.version, isBreaking) };
    if (values.proposal !== undefined) await writeFile(values.proposal, writeContract(next));
    const hint =
      values.proposal === undefined ? ' (--proposal file.yaml writes it)' : `, written to ${values.proposal}`;
    log(`a new version of the contract would fit the structure of these files${hint}`);
  }
  return found === 0 ? 0 : 1;
}

/** Replaces a report's table by the one that the report proposes. */
function adopt(contract: Contract, report: CheckReport): Contract {
  const table = report.proposal?.contract.tables.find((other) => other.name === report.table);
  if (table === undefined) return contract;
  return { ...contract, tables: contract.tables.map((other) => (other.name === table.name ? table : other)) };
}

/** Gives the first rows that files of before have of a table; null where there are none. */
async function readEarlier(
  { columns }: TableContract,
  wanted: readonly string[],
  [path]: readonly string[],
): Promise<Values | null> {
  return path === undefined
    ? null
    : readValues(
        path,
        columns.filter(({ name }) => wanted.includes(name)),
      );
}

/** Returns the keys of the tables that have files. Each file is read once. */
function keysFrom(contract: Contract, pathsOf: (table: string) => readonly string[]): KeysOf {
  const known = new Map<string, Promise<ReadonlySet<string> | null>>();
  const read = async (name: string): Promise<ReadonlySet<string> | null> => {
    const paths = pathsOf(name);
    const table = contract.tables.find((other) => other.name === name);
    return paths.length === 0 || table === undefined ? null : await readKeys(paths, table);
  };
  return (name) => {
    let keys = known.get(name);
    if (keys === undefined) known.set(name, (keys = read(name)));
    return keys;
  };
}

function writeReport(report: CheckReport, { mild, grave }: ReturnType<typeof weigh>, name: string, out: Output): void {
  const count = `${grave.length} ${grave.length === 1 ? 'deviation' : 'deviations'}`;
  const warned = mild.length === 0 ? '' : `, ${mild.length} ${mild.length === 1 ? 'warning' : 'warnings'}`;
  out.write(`${name}: ${report.rows} rows, ${grave.length === 0 ? 'as the contract says' : count}${warned}\n`);
  for (const deviation of [...grave, ...mild]) {
    const kind = mild.includes(deviation) ? 'warning' : deviation.kind;
    out.write(`  ${kind} ${deviation.rule}: ${deviation.message}\n`);
    const samples = deviation.samples
      .slice(0, 5)
      .map(({ row, value }) => `row ${row}${value === null ? '' : ` "${value}"`}`);
    if (samples.length > 0) out.write(`    ${samples.join(', ')}\n`);
  }
  for (const change of report.proposal?.changes ?? []) out.write(`  proposed: ${showChange(change)}\n`);
}

async function diff(args: string[], out: Output): Promise<number> {
  const { words } = readWords(args, ['before.yaml', 'after.yaml'], []);
  const [before, after] = [await readContract(words[0]), await readContract(words[1])];
  const changes = diffContracts(before, after);
  for (const change of changes) out.write(`${showChange(change)}\n`);
  if (changes.length === 0) out.write('no difference\n');
  return changes.some((change) => change.breaking) ? 1 : 0;
}

function showChange(change: ReturnType<typeof diffContracts>[number]): string {
  const show = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const values =
    change.kind === 'added'
      ? show(change.after)
      : change.kind === 'removed'
        ? show(change.before)
        : `${show(change.before)} → ${show(change.after)}`;
  return `${change.kind} ${change.path}: ${values}${change.breaking ? ' (breaking)' : ''}`;
}

async function readContract(path: string): Promise<Contract> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Failure('not_found', `${path} cannot be read.`, { cause });
  });
  return parseContract(text, path);
}
