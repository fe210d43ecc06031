import { parseArgs } from 'node:util';
import { Failure } from '../lib/failure.ts';

/** What a command takes: positional words, and options with a value or (with null) without. */
export type Usage = {
  readonly usage: string;
  readonly positionals: number;
  readonly options: Readonly<Record<string, 'value' | 'flag'>>;
  readonly required?: readonly string[];
};

export type Arguments = {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, string | undefined>>;
};

/** Reads a command's arguments. Throws Failure 'invalid' that names what is wrong and repeats the usage. */
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
    return complain(error instanceof Error ? error.message : String(error));
  }
  if (parsed.positionals.length !== usage.positionals)
    complain(
      `expected ${usage.positionals} argument${usage.positionals === 1 ? '' : 's'}, got ${parsed.positionals.length}`,
    );
  const values: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(parsed.values))
    values[name] = value === true ? 'true' : typeof value === 'string' ? value : undefined;
  for (const name of usage.required ?? []) if (values[name] === undefined) complain(`--${name} is missing`);
  return { words: parsed.positionals, values };
}
