import { Composer, CST, type Document, isMap, isScalar, isSeq, Lexer, LineCounter, Parser } from 'yaml';
import { type Because, Failure, type Problem } from '../../lib/failure.ts';
import { nearestWord } from '../../lib/nearest-word.ts';
import { type FieldMistake, type Found, sayFieldMistake } from './field-mistakes.ts';

export type Path = readonly (string | number)[];

/** A YAML document being read: its plain value, and the problems found so far with their lines. */
export type Reading = {
  readonly value: unknown;
  /** A mistake that has no code is a sentence, which may be that of another code. */
  readonly problem: (path: Path, mistake: FieldMistake | string, because?: Because) => void;
  /** Problems sorted by line. */
  readonly problems: () => Problem[];
};

type Kinds = { string: string; boolean: boolean; number: number; list: unknown[]; map: unknown };
type Shape = Readonly<Record<string, keyof Kinds | 'any'>>;
type Fields<S extends Shape> = { [K in keyof S]?: S[K] extends keyof Kinds ? Kinds[S[K]] : unknown };

/** Most tokens of a YAML text: names, values, marks, and the blanks and line ends between them. */
export const yamlTokensMax = 1_000_000;
/** Most levels of lists and maps within each other. */
export const yamlDepthMax = 100;
/** Most anchors, aliases, tags and directives together. Tables are described without any. */
export const yamlReferencesMax = 1_000;
/** Most problems of a text that are told with their lines. */
export const yamlProblemsMax = 100;
/** How often aliases may be followed in all. */
export const aliasesFollowedMax = 100;

/** Mistakes that come of lines that begin too far left or right. */
const indentationCodes: ReadonlySet<string> = new Set([
  'BAD_INDENT',
  'BLOCK_AS_IMPLICIT_KEY',
  'MULTILINE_IMPLICIT_KEY',
]);
const indentationHint = 'does a line near it begin further left or right than its neighbours?';

/**
 * Reads YAML text; the first syntax error becomes a problem and the value is then undefined. Takes time in proportion
 * to the length of the text. Throws Failure 'limit_exceeded' for a text of more tokens, levels or references than are
 * read, before any of it is composed. Of more than `yamlProblemsMax` problems, the first found are told.
 */
export function readYaml(text: string): Reading {
  const lines = new LineCounter();
  const document = compose(text, lines);
  const found: ({ line: number } & Problem)[] = [];
  let untold = 0;
  const say = (told: Omit<Problem, 'at'>, place: () => { line: number; at: string }): void => {
    // The place is looked for only where it is told: there may be as many problems as tokens.
    if (found.length < yamlProblemsMax) found.push({ ...place(), ...told });
    else untold++;
  };
  const sayAt = (offset: number, message: string): void =>
    say({ message }, () => {
      const { line, col } = lines.linePos(offset);
      return { line, at: `line ${line}, column ${col}` };
    });
  // What comes behind the first mistake of syntax is read as something else than it is, and is mistaken by that.
  const first = document.errors.toSorted((a, b) => a.pos[0] - b.pos[0])[0];
  if (first)
    sayAt(first.pos[0], indentationCodes.has(first.code) ? `${first.message}; ${indentationHint}` : first.message);
  for (const offset of repeatedKeys(document)) sayAt(offset, 'Map keys must be unique');
  const problem: Reading['problem'] = (path, mistake, because) => {
    const told =
      typeof mistake === 'string' ? { message: mistake } : { message: sayFieldMistake(mistake), because: mistake };
    say({ ...told, ...(because && { because }) }, () => {
      const line = lines.linePos(offsetOf(document, path)).line;
      const where = formatPath(path);
      return { line, at: where === '' ? `line ${line}` : `line ${line}, ${where}` };
    });
  };
  let value: unknown;
  if (found.length === 0) {
    try {
      value = document.toJS({ maxAliasCount: aliasesFollowedMax });
    } catch (error) {
      problem([], error instanceof Error ? error.message : String(error));
    }
  }
  const problems = (): Problem[] => {
    const told = found.toSorted((a, b) => a.line - b.line).map(({ line: _, ...problem }) => problem);
    return untold === 0 ? told : [...told, { at: 'further on', message: `${untold} more problems` }];
  };
  return { value, problem, problems };
}

/** Parses and composes the first document of a text, whose tokens are counted first. */
function compose(text: string, lines: LineCounter): Document.Parsed {
  // The package compares each key with all before it; `repeatedKeys` does the same with a set.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false });
  // Each error would collect its stack, which costs more than parsing.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    let first: Document.Parsed | undefined;
    for (const document of composer.compose(countedTokens(text, lines), true, text.length)) {
      if (first === undefined) {
        first = document;
        continue;
      }
      const message = 'the text holds several documents; one is read';
      first.errors.push({ pos: [document.range[0], document.range[1]], message } as (typeof first.errors)[number]);
      break;
    }
    return first!;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

const referenceTypes: ReadonlySet<string | null> = new Set(['anchor', 'alias', 'tag', 'directive-line']);

/** The syntax tree of a text. Throws before it is composed when it is too large. */
function countedTokens(text: string, lines: LineCounter): CST.Token[] {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tree: CST.Token[] = [];
  let tokens = 0;
  let references = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++tokens > yamlTokensMax) throw tooMuch(lines, parser.offset, `has more than ${yamlTokensMax} tokens`);
    if (referenceTypes.has(CST.tokenType(lexeme)) && ++references > yamlReferencesMax)
      throw tooMuch(lines, parser.offset, `has more than ${yamlReferencesMax} anchors, aliases, tags and directives`);
    for (const token of parser.next(lexeme)) tree.push(token);
    if (parser.stack.length > yamlDepthMax)
      throw tooMuch(lines, parser.offset, `nests deeper than ${yamlDepthMax} levels`);
  }
  for (const token of parser.end()) tree.push(token);
  return tree;
}

function tooMuch(lines: LineCounter, offset: number, what: string): Failure {
  const at = `line ${lines.linePos(offset).line}`;
  return new Failure('limit_exceeded', `the text ${what}, at ${at}: make it smaller`, {
    problems: [{ at, message: `${what}: make it smaller` }],
  });
}

/** The places in the text of the keys that their map has already. */
function repeatedKeys({ contents }: Document.Parsed): number[] {
  const found: number[] = [];
  const open: unknown[] = [contents];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isSeq(node)) for (const item of node.items) open.push(item ?? null);
    if (!isMap(node)) continue;
    const keys = new Set<unknown>();
    for (const { key, value } of node.items) {
      if (isScalar(key)) {
        if (keys.has(key.value)) found.push(key.range?.[0] ?? 0);
        keys.add(key.value);
      } else open.push(key ?? null);
      open.push(value ?? null);
    }
  }
  return found;
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
    reading.problem(path, { code: 'no_map', found: foundIn(value) });
    return fields as Fields<S>;
  }
  for (const [name, field] of Object.entries(value as Record<string, unknown>)) {
    const kind = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (kind === undefined) {
      const known = Object.keys(shape);
      reading.problem([...path, name], { code: 'unknown_field', known, meant: nearestWord(name, known) });
    } else if (field === null) {
      // An empty field counts as absent.
    } else if (kind === 'any' || isKind(field, kind)) {
      fields[name] = field;
    } else {
      reading.problem([...path, name], { code: 'wrong_kind', kind, found: foundIn(field) });
    }
  }
  return fields as Fields<S>;
}

/** The text in a required field; '' after a problem. */
export function requireText(reading: Reading, text: string | undefined, path: Path): string {
  if (text !== undefined && text.trim() !== '') return text;
  reading.problem(path, { code: 'missing_field' });
  return '';
}

function isKind(value: unknown, kind: keyof Kinds): boolean {
  if (kind === 'list') return Array.isArray(value);
  if (kind === 'map') return typeof value === 'object' && value !== null && !Array.isArray(value);
  if (kind === 'number') return typeof value === 'number' && Number.isFinite(value);
  return typeof value === kind;
}

function foundIn(value: unknown): Found {
  if (value === null || value === undefined) return { as: 'empty', text: null };
  if (Array.isArray(value)) return { as: 'list', text: null };
  if (typeof value === 'object') return { as: 'map', text: null };
  return { as: typeof value as 'string' | 'number' | 'boolean', text: JSON.stringify(value).slice(0, 60) };
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
