/** Source of the repository, and what can be told of it as text; test support. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Source by path, relative to server/src, with forward slashes. */
export type Tree = Readonly<Record<string, string>>;

export const repository = join(import.meta.dirname, '..', '..', '..');

/** Source as committed or staged, by its path within a folder of the repository. */
export function sourceOf(folder: string, isPart: (path: string) => boolean): Tree {
  const listed = execFileSync('git', ['ls-files', '-z', folder], { cwd: repository, encoding: 'utf8' });
  return Object.fromEntries(
    listed
      .split('\0')
      .filter((path) => isPart(path) && existsSync(join(repository, path)))
      .map((path) => [path.slice(folder.length + 1), readFileSync(join(repository, path), 'utf8')]),
  );
}

/** The server's; the kernel's AssemblyScript has a compiler and a law of its own. */
export const serverSource = (): Tree =>
  sourceOf('server/src', (path) => path.endsWith('.ts') && !path.includes('/kernel/assembly/'));

export function importsIn(code: string): string[] {
  const forms = /\b(?:import|export)\b[^;'"`]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;
  return [...code.matchAll(forms)].map((match) => (match[1] ?? match[2])!);
}

/** The files that a file loads when it runs, directly or not, itself among them. */
export function loadedBy(tree: Tree, entry: string): ReadonlySet<string> {
  const loaded = new Set([entry]);
  for (const file of loaded) for (const target of loads(tree, file)) loaded.add(target);
  return loaded;
}

export function loads(tree: Tree, file: string): string[] {
  return importsIn(withoutTypeImports(withoutComments(tree[file] ?? '')))
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(file), specifier));
}

/** Node removes these imports: of types, or of a list in which each is a type. */
function withoutTypeImports(code: string): string {
  return code
    .replace(/\bimport\s+type\b[^;]*;/g, '')
    .replace(/\bimport\s*\{([^}]*)\}\s*from[^;]*;/g, (whole, names: string) =>
      names.split(',').every((name) => /^\s*(type\s|$)/.test(name)) ? '' : whole,
    );
}

/** Hands on values of other files, or nothing but types; a module may name the types its own functions take. */
export function isBarrel(code: string): boolean {
  const handsOn = [...code.matchAll(/^\s*export\b[^;=(]*?\bfrom\s*['"][^'"]+['"]/gm)].map((match) => match[0]);
  if (handsOn.length === 0) return false;
  const hasOwn = /^\s*export\s+(async|function|const|let|class|type\s+\w|default|abstract)\b/m.test(code);
  return !hasOwn || handsOn.some((text) => !/^\s*export\s+type\s*\{/.test(text));
}

/** Comments go, strings stay: a URL in quotes is no comment. */
export function withoutComments(source: string): string {
  const pieces = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  return source.replace(pieces, (piece) => (piece.startsWith('/') ? ' ' : piece));
}
