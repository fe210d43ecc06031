// What a JSON text may hold, counted in its bytes before anything is built of it.
import { Failure } from '../failure.ts';

/** Most levels of arrays and objects in a JSON body. */
export const jsonDepthMax = 100;
/** Most values in a JSON body: texts, numbers, arrays, objects, and what stands between commas. */
export const jsonValuesMax = 20_000;

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Why a JSON text may not be parsed: it nests deeper than `jsonDepthMax`, or holds more than `jsonValuesMax` values;
 * null when it may. Looks at each byte once. What is no JSON is left to the parser.
 */
export function beyondBounds(bytes: Uint8Array): Failure | null {
  // Each level and each value takes a byte at least, and a level counts as a value too.
  if (bytes.length <= jsonDepthMax) return null;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at + 1);
    else if (byte === comma) values++;
    else if (byte === openList || byte === openObject) {
      values++;
      if (++depth > jsonDepthMax) return tooDeep();
    } else if (byte === closeList || byte === closeObject) depth--;
    if (values > jsonValuesMax) return tooMany();
  }
  return null;
}

/** The place of the quote that ends a text; `at` is that of its first byte. */
function endOfText(bytes: Uint8Array, at: number): number {
  for (let next = at; next < bytes.length; next++) {
    if (bytes[next] === backslash) next++;
    else if (bytes[next] === quote) return next;
  }
  return bytes.length;
}

function tooDeep(): Failure {
  const message = `the body nests deeper than ${jsonDepthMax} levels: send it flatter`;
  return new Failure('malformed', message, { reason: 'malformed_json', problems: [{ at: '', message }] });
}

function tooMany(): Failure {
  const message = `the body holds more than ${jsonValuesMax} values: send it in several requests`;
  return new Failure('limit_exceeded', message, { reason: 'limit_exceeded' });
}
