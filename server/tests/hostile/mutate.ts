/** Values and bytes spoilt at random, from a seed; test support. */
import type { draws } from '../samples.ts';

type Draw = ReturnType<typeof draws>;

/** Values that have broken programs before. */
const nasty: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  'x'.repeat(5_000),
  '\u0000',
  '\ud800',
  '\u202e\u{1f4a9}é',
  '__proto__',
  'constructor',
  "' or 1=1 --",
  '../../../etc/passwd',
  '=cmd()',
  '9999-99-99',
  '-271821-04-20',
  'NaN',
  0,
  -1,
  -0.0,
  0.1,
  2 ** 31,
  2 ** 53 + 1,
  1e308,
  [],
  {},
  [[[[[[[[]]]]]]]],
  { a: { b: { c: {} } } },
  Array(300).fill(0),
];

/** A copy of a JSON value with up to three of its places changed, dropped, repeated or added to. */
export function mutateJson(draw: Draw, value: unknown): unknown {
  let spoilt = structuredClone(value);
  for (let left = draw.between(1, 3); left > 0; left--) spoilt = mutateOnce(draw, spoilt);
  return spoilt;
}

function mutateOnce(draw: Draw, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || draw.next() < 0.1) return draw.pick(nasty);
  const isDeep = draw.next() < 0.6;
  if (Array.isArray(value)) {
    if (value.length === 0) return [draw.pick(nasty)];
    const at = draw.between(0, value.length - 1);
    if (isDeep) return value.with(at, mutateOnce(draw, value[at]));
    return draw.next() < 0.5 ? [...value, ...value, draw.pick(nasty)] : value.toSpliced(at, 1);
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return { [String(draw.pick(nasty))]: draw.pick(nasty) };
  const at = draw.between(0, entries.length - 1);
  const [key, inner] = entries[at];
  if (isDeep) return Object.fromEntries(entries.with(at, [key, mutateOnce(draw, inner)]));
  if (draw.next() < 0.5) return Object.fromEntries(entries.toSpliced(at, 1));
  return Object.fromEntries([...entries, [`${String(draw.pick(nasty)).slice(0, 200)}`, draw.pick(nasty)]]);
}

/** A copy of bytes with up to eight bits flipped, numbers overwritten, ranges cut, doubled, moved or emptied. */
export function mutateBytes(draw: Draw, bytes: Uint8Array): Uint8Array {
  let spoilt = Buffer.from(bytes);
  for (let left = draw.between(1, 8); left > 0 && spoilt.length > 0; left--) {
    const from = placeIn(draw, spoilt.length);
    const to = Math.min(spoilt.length, from + draw.between(1, draw.next() < 0.5 ? 8 : 400));
    const part = spoilt.subarray(from, to);
    const how = draw.between(0, 6);
    if (how === 0) spoilt[from] ^= 1 << draw.between(0, 7);
    else if (how === 1) spoilt.fill(draw.pick([0, 0xff, 0x7f, 0x22, 0x0a]), from, to);
    else if (how === 2) spoilt = Buffer.concat([spoilt.subarray(0, from), spoilt.subarray(to)]);
    else if (how === 3) spoilt = Buffer.concat([spoilt.subarray(0, to), part, part, spoilt.subarray(to)]);
    else if (how === 4) spoilt = spoilt.subarray(0, Math.max(1, from));
    else if (how === 5) spoilt.copyWithin(placeIn(draw, spoilt.length), from, to);
    else for (let i = from; i < to; i++) spoilt[i] = draw.between(0, 255);
  }
  return spoilt;
}

/** Half of the places are near the end, where formats keep what says how to read the rest. */
function placeIn(draw: Draw, length: number): number {
  return draw.next() < 0.5 ? draw.between(0, length - 1) : Math.max(0, length - 1 - draw.between(0, 300));
}
