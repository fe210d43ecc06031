import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Failure } from '../lib/failure.ts';

/** The arguments of a command: positional words, and options, with a value ('value') or without ('flag'). */
export type Usage = {
  readonly usage: string;
  /** What the command does and what its options mean, for --help. */
  readonly about: string;
  /** The number of positional words; 'some' means one or more, 'any' as many as there are. */
  readonly positionals: number | 'some' | 'any';
  readonly options: Readonly<Record<string, 'value' | 'flag'>>;
  readonly required?: readonly string[];
};

export type Arguments = {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, string | undefined>>;
};

/** Returns the text of `lastro <command> --help`. */
export function helpOf({ usage, about }: Usage): string {
  return `usage: lastro ${usage}\n\n${about}\n`;
}

/** Parses a command's arguments. Throws Failure 'invalid' with what is wrong and the usage. */
export function readArguments(args: readonly string[], usage: Usage): Arguments {
  const complain = (what: string): never => {
    throw new Failure('invalid', `${what}\nusage: lastro ${usage.usage}`);
  };
  const options = Object.fromEntries(
    Object.entries(usage.options).map(([name, kind]) => [
      name,
      { type: kind === 'value' ? ('string' as const) : ('boolean' as const) },
    ]),
  );
  let parsed: ReturnType<typeof parseArgs>;
  try {
    parsed = parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // The first sentence says what is wrong. The rest is about quoting.
    return complain((error instanceof Error ? error.message : String(error)).split(/\.\s/, 1)[0]);
  }
  if (usage.positionals === 'some') {
    if (parsed.positionals.length === 0) complain('expected at least one argument');
  } else if (usage.positionals !== 'any' && parsed.positionals.length !== usage.positionals)
    complain(
      `expected ${usage.positionals} argument${usage.positionals === 1 ? '' : 's'}, got ${parsed.positionals.length}`,
    );
  const values: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(parsed.values))
    values[name] = value === true ? 'true' : typeof value === 'string' ? value : undefined;
  requireOptions(values, usage.required ?? [], usage);
  return { words: parsed.positionals, values };
}

/** Throws Failure 'invalid' with the usage when one of the options is missing. */
export function requireOptions(values: Arguments['values'], names: readonly string[], { usage }: Usage): void {
  for (const name of names)
    if (values[name] === undefined) throw new Failure('invalid', `--${name} is missing\nusage: lastro ${usage}`);
}

/** Returns the word at a place, one of `allowed`. Throws Failure 'invalid' with the usage for another. */
export function requireWord<T extends string>(
  words: readonly string[],
  at: number,
  allowed: readonly T[],
  usage: Usage,
): T {
  const word = words[at] as T;
  if (allowed.includes(word)) return word;
  const said = ['admin', ...words.slice(0, at + 1)].join(' ');
  throw new Failure('invalid', `there is no command ${said}\nusage: lastro ${usage.usage}`);
}

/**
 * Throws Failure 'invalid' when no file can be written at `path`. Commands call it first, so that no long training is
 * lost.
 */
export function requireWritableFile(option: string, path: string): void {
  if (existsSync(path) && statSync(path).isDirectory())
    throw new Failure('invalid', `${option} ${path} is a folder; name a file in it`);
  const folder = dirname(resolve(path));
  if (!existsSync(folder))
    throw new Failure('invalid', `${option} ${path}: there is no folder ${folder}; make it first`);
  requireWritableFolder(option, path, folder);
}

/** Throws Failure when no folder can be created at `path`: 'conflict' when something exists there, else 'invalid'. */
export function requireNewFolder(option: string, path: string): void {
  if (existsSync(path))
    throw new Failure(
      'conflict',
      `${option} ${path} exists already; a version is never changed, choose another folder`,
    );
  let folder = dirname(resolve(path));
  while (!existsSync(folder)) folder = dirname(folder);
  requireWritableFolder(option, path, folder);
}

function requireWritableFolder(option: string, path: string, folder: string): void {
  if (!statSync(folder).isDirectory()) throw new Failure('invalid', `${option} ${path}: ${folder} is not a folder`);
  try {
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new Failure('invalid', `${option} ${path}: ${folder} may not be written to`, { cause });
  }
}

/** Reads how many minutes something may take: any number above 0, at most a day. */
export function readMinutes(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const minutes = Number(value);
  if (!(minutes > 0 && minutes <= 1440))
    throw new Failure('invalid', `--minutes ${value}: expected a number of minutes above 0, at most 1440`);
  return minutes;
}

/** Reads how many cells of tables are held in memory at most; undefined where that is not said. */
export function readCellsMax(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const cells = Number(value);
  if (!Number.isSafeInteger(cells) || cells < 1)
    throw new Failure('invalid', `--max-cells ${value}: expected a whole number above 0`);
  return cells;
}
