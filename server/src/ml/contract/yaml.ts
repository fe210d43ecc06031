import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import type { Problem } from '../../lib/failure.ts';

export type Path = readonly (string | number)[];

/** A YAML document being read: its plain value, and the problems found so far with their lines. */
export type Reading = {
  readonly value: unknown;
  readonly problem: (path: Path, message: string) => void;
  /** Problems sorted by line. */
  readonly problems: () => Problem[];
};

type Kinds = { string: string; boolean: boolean; number: number; list: unknown[]; map: unknown };
type Shape = Readonly<Record<string, keyof Kinds | 'any'>>;
type Fields<S extends Shape> = { [K in keyof S]?: S[K] extends keyof Kinds ? Kinds[S[K]] : unknown };

const articles: Record<keyof Kinds, string> = {
  string: 'text',
  boolean: 'true or false',
  number: 'a number',
  list: 'a list',
  map: 'a map of fields',
};

/** Reads YAML text; syntax errors become problems and the value is then undefined. */
export function readYaml(text: string): Reading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const found: { line: number; at: string; message: string }[] = [];
  for (const error of document.errors) {
    const { line, col } = lines.linePos(error.pos[0]);
    found.push({ line, at: `line ${line}, column ${col}`, message: error.message });
  }
  const problem = (path: Path, message: string): void => {
    const line = lines.linePos(offsetOf(document, path)).line;
    const where = formatPath(path);
    found.push({ line, at: where === '' ? `line ${line}` : `line ${line}, ${where}`, message });
  };
  let value: unknown;
  if (found.length === 0) {
    try {
      value = document.toJS({ maxAliasCount: 100 });
    } catch (error) {
      problem([], error instanceof Error ? error.message : String(error));
    }
  }
  const problems = (): Problem[] =>
    found.toSorted((a, b) => a.line - b.line).map(({ at, message }) => ({ at, message }));
  return { value, problem, problems };
}

/** Writes `['schema', 2, 'name']` as `schema[2].name`. */
function formatPath(path: Path): string {
  return path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('');
}

/**
 * The fields of a map whose values have the kind given in `shape`. Unknown fields and wrong kinds become problems and
 * are left out. A null field counts as absent.
 */
export function readFields<S extends Shape>(reading: Reading, value: unknown, path: Path, shape: S): Fields<S> {
  const fields: Record<string, unknown> = {};
  if (!isKind(value, 'map')) {
    reading.problem(path, `must be a map of fields, not ${describe(value)}`);
    return fields as Fields<S>;
  }
  for (const [name, field] of Object.entries(value as Record<string, unknown>)) {
    const kind = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (kind === undefined) {
      reading.problem([...path, name], `unknown field; known here: ${Object.keys(shape).join(', ')}`);
    } else if (field === null) {
      // An empty field counts as absent.
    } else if (kind === 'any' || isKind(field, kind)) {
      fields[name] = field;
    } else {
      const hint = kind === 'string' && typeof field === 'number' ? ': put it in quotes' : '';
      reading.problem([...path, name], `must be ${articles[kind]}, not ${describe(field)}${hint}`);
    }
  }
  return fields as Fields<S>;
}

/** The text in a required field; '' after a problem. */
export function requireText(reading: Reading, text: string | undefined, path: Path): string {
  if (text !== undefined && text.trim() !== '') return text;
  reading.problem(path, 'is missing');
  return '';
}

function isKind(value: unknown, kind: keyof Kinds): boolean {
  if (kind === 'list') return Array.isArray(value);
  if (kind === 'map') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeof value === kind;
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return `${typeof value === 'string' ? 'the text' : `the ${typeof value}`} ${JSON.stringify(value).slice(0, 60)}`;
}

/** Whether `item` of a list of custom properties has the name `name`. */
function namesProperty(item: unknown, name: string): boolean {
  return isMap(item) && item.get('property') === name;
}

/** The position of `path` in the text, or of the deepest part of it that exists. */
function offsetOf(document: Document, path: Path): number {
  let node: unknown = document.contents;
  let offset = 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(part));
      if (pair === undefined) return offset;
      if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = typeof part === 'number' ? node.items[part] : node.items.find((item) => namesProperty(item, part));
      const range = (node as { range?: [number, number, number] } | undefined)?.range;
      if (range === undefined) return offset;
      offset = range[0];
    } else {
      return offset;
    }
  }
  return offset;
}
