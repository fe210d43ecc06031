export type ReadJson =
  | { readonly inputs: Readonly<Record<string, unknown>> }
  | { readonly fault: 'syntax'; readonly line: number; readonly column: number }
  | { readonly fault: 'no_object' };

/** Reads the inputs of a request, or says where their text is no JSON. Lines and columns count from 1. */
export function readJson(text: string): ReadJson {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const before = text.slice(0, faultAt(text)).split('\n');
    return { fault: 'syntax', line: before.length, column: before[before.length - 1].length + 1 };
  }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { inputs: value as Record<string, unknown> } : { fault: 'no_object' };
}

const blanks = /[ \t\r\n]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has none of them in its texts
const text = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-f]{4}))*"/iy;
const plain = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null/iy;

/** Where a text stops being JSON (RFC 8259). Browsers do not all say it. */
function faultAt(source: string): number {
  let at = 0;
  const take = (form: RegExp): boolean => {
    form.lastIndex = at;
    const found = form.exec(source);
    if (found) at += found[0].length;
    return found !== null;
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
    return takeSign(end);
  };
  const takeValue = (): boolean => {
    if (takeSign('{')) return takeMembers('}', () => take(text) && takeSign(':') && takeValue());
    if (takeSign('[')) return takeMembers(']', takeValue);
    return take(text) || take(plain);
  };
  if (takeValue()) take(blanks);
  return at;
}
