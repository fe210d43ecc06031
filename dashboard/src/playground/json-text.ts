export type ReadJson =
  | { readonly inputs: Readonly<Record<string, unknown>> }
  | {
      readonly fault: 'syntax';
      readonly line: number;
      readonly column: number;
      /** What would have to stand there. */
      readonly expected: Expected;
      /** The sign that stands there; empty at the end of the text. */
      readonly found: string;
    }
  | { readonly fault: 'no_object' };

/** `text_end`: a quote that is not closed, or a sign that is none within quotes. `end`: the end of all. */
export type Expected = 'value' | 'name' | 'colon' | 'comma' | 'text_end' | 'end';

/** Reads the inputs of a request, or says where their text is no JSON. Lines and columns count from 1. */
export function readJson(text: string): ReadJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const { at, expected } = faultOf(text);
    const before = text.slice(0, at).split('\n');
    const place = { line: before.length, column: before[before.length - 1].length + 1 };
    return { fault: 'syntax', ...place, expected, found: [...text.slice(at, at + 2)][0] ?? '' };
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { inputs: value as Record<string, unknown> } : { fault: 'no_object' };
}

const blanks = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none of them in its texts
const text = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"/iy;
const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/iy;

/** Where a text stops being JSON (RFC 8259), and what it would go on with. Browsers do not all say it. */
function faultOf(source: string): { readonly at: number; readonly expected: Expected } {
  let at = 0;
  let expected: Expected = 'end';
  const take = (form: RegExp): boolean => {
    form.lastIndex = at;
    const found = form.exec(source);
    if (found) at += found[0].length;
    return found !== null;
  };
  const lacks = (what: Expected): false => {
    expected = source[at] === '"' && (what === 'value' || what === 'name') ? 'text_end' : what;
    return false;
  };
  const takeSign = (sign: string): boolean => {
    take(blanks);
    if (source[at] !== sign) return false;
    at++;
    take(blanks);
    return true;
  };
  const takeMembers = (end: string, takeMember: () => boolean): boolean => {
    if (takeSign(end)) return true;
    do if (!takeMember()) return false;
    while (takeSign(','));
    return takeSign(end) || lacks('comma');
  };
  const takeValue = (): boolean => {
    if (takeSign('{')) return takeMembers('}', takeMember);
    if (takeSign('[')) return takeMembers(']', takeValue);
    return take(text) || take(plain) || lacks('value');
  };
  const takeMember = (): boolean => (take(text) || lacks('name')) && (takeSign(':') || lacks('colon')) && takeValue();
  if (takeValue()) take(blanks);
  return { at, expected };
}
