// Identifiers: a prefix that says of what, and a UUIDv7 (RFC 9562 §5.7) without its dashes.
import { randomFillSync } from 'node:crypto';
import { assert } from '../failure.ts';

/** The largest value of `rand_a`, which counts the ids of one millisecond. */
const counterMax = 0xfff;
/** The count of a new millisecond starts at this or below, so that at least 2,048 more ids fit in the millisecond. */
const counterStartMax = 0x7ff;

/**
 * Random bytes per id: two for the first count of a new millisecond, if the id begins one, and eight that stay random.
 */
const randomBytesPerId = 10;
/** Random bytes are fetched for 400 ids at once, which costs little more than for one. */
const randomBytesKept = 400 * randomBytesPerId;

/** A new identifier: `<prefix>_` and 32 lower-case hex digits. Later ids of a process sort after its earlier ones. */
export const newId: (prefix: string) => string = makeIdSource(Date.now);

/**
 * A source of identifiers that reads the time from `clock` (Unix milliseconds). Its ids grow even when the clock does
 * not.
 */
export function makeIdSource(clock: () => number): (prefix: string) => string {
  let timeMs = 0;
  let time = '';
  let counter = 0;
  const random = Buffer.alloc(randomBytesKept);
  let used = randomBytesKept;
  const setTime = (ms: number, at: number): void => {
    timeMs = ms;
    time = hexOf(ms);
    counter = random.readUInt16BE(at) & counterStartMax;
  };
  return (prefix) => {
    assert(/^[a-z][a-z0-9]*$/.test(prefix), `${prefix} is no prefix of an id`);
    if (used + randomBytesPerId > randomBytesKept) {
      randomFillSync(random);
      used = 0;
    }
    const at = used;
    used += randomBytesPerId;
    const nowMs = clock();
    if (nowMs > timeMs) setTime(nowMs, at);
    else if (counter < counterMax) counter += 1;
    // RFC 9562 §6.2: the time stamp may run ahead of the clock when the counter is full.
    else setTime(timeMs + 1, at);
    random[at + 2] = 0x80 | (random[at + 2] & 0x3f);
    const tail = random.toString('hex', at + 2, at + randomBytesPerId);
    return `${prefix}_${time}7${counter.toString(16).padStart(3, '0')}${tail}`;
  };
}

/** What sorts before all ids that are made at a moment (Unix milliseconds) or later, and after all earlier ones. */
export function idsFrom(prefix: string, ms: number): string {
  return `${prefix}_${hexOf(Math.min(Math.max(ms, 0), timeMax))}`;
}

/** The last millisecond of a UUIDv7, which has 48 bits for it. */
const timeMax = 2 ** 48 - 1;

function hexOf(ms: number): string {
  return ms.toString(16).padStart(12, '0');
}
