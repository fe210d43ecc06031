/** The package as npm would install it, in a folder of its own; test support. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { repository } from '../generate/document.ts';

export type Installed = {
  readonly folder: string;
  write(path: string, text: string): void;
  /** Runs a program in the folder; resolves with how it ended and what it said. */
  run(program: string, args: readonly string[], env?: NodeJS.ProcessEnv): Promise<{ code: number; out: string }>;
  remove(): void;
};

export async function install(): Promise<Installed> {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-installed-'));
  const own = join(folder, 'node_modules', '@lastro', 'sdk');
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const run: Installed['run'] = (program, args, env = {}) =>
    new Promise((resolve) => {
      const options = { cwd: folder, env: { ...process.env, ...env } };
      execFile(program, args, options, (error, out, said) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), out: out + said }),
      );
    });
  mkdirSync(own, { recursive: true });
  cpSync(join(repository, 'sdk', 'package.json'), join(own, 'package.json'));
  const { code, out } = await run(process.execPath, [join(repository, 'sdk', 'build.ts'), join(own, 'dist')]);
  if (code !== 0) throw new Error(out);
  write('package.json', '{"type":"module"}');
  return { folder, write, run, remove: () => rmSync(folder, { recursive: true }) };
}

/** Compiles files of the folder against what is installed there, as somebody who has TypeScript 5 would. */
export function compile({ run, write }: Installed, files: readonly string[], types: readonly string[] = []) {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, target: 'es2022', module: 'nodenext', exactOptionalPropertyTypes: true },
    ...{ lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'], types },
    // What others declare is not ours to check.
    skipLibCheck: types.length > 0,
    typeRoots: [join(repository, 'node_modules', '@types')],
  };
  write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
  const compiler = join(repository, 'sdk', 'node_modules', 'typescript', 'bin', 'tsc');
  return run(process.execPath, [compiler, '-p', '.']);
}

/** The `node` of this machine, which may be older than the project's own; that where there is no other. */
export function findNode(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== dirname(process.execPath));
  return folders.map((folder) => join(folder, 'node')).find((file) => existsSync(file)) ?? process.execPath;
}
