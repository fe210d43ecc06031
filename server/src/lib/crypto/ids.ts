// Identifiers: a prefix that says what it names, and a UUIDv7 (RFC 9562 §5.7) without its dashes.
import { randomBytes } from 'node:crypto';
import { assert } from '../failure.ts';

/** The largest value of `rand_a`, which counts the ids of one millisecond. */
const counterMax = 0xfff;
/** A new millisecond begins counting below this, so that at least 2,048 more ids fit in it. */
const counterStartMax = 0x7ff;

/** A new identifier, `<prefix>_` and 32 lower-case hex digits; later ones of one process sort after earlier ones. */
export const newId: (prefix: string) => string = makeIdSource(Date.now);

/** A source of identifiers with a clock of its own, in Unix milliseconds. Its ids grow even when the clock does not. */
export function makeIdSource(clock: () => number): (prefix: string) => string {
  let timeMs = 0;
  let counter = 0;
  return (prefix) => {
    assert(/^[a-z][a-z0-9]*$/.test(prefix), `${prefix} is no prefix of an id`);
    const random = randomBytes(10);
    const nowMs = clock();
    if (nowMs > timeMs) {
      timeMs = nowMs;
      counter = random.readUInt16BE(0) & counterStartMax;
    } else if (counter < counterMax) {
      counter += 1;
    } else {
      // RFC 9562 §6.2: the time stamp may run ahead of the clock when the counter is full.
      timeMs += 1;
      counter = random.readUInt16BE(0) & counterStartMax;
    }
    random[2] = 0x80 | (random[2] & 0x3f);
    const time = timeMs.toString(16).padStart(12, '0');
    return `${prefix}_${time}7${counter.toString(16).padStart(3, '0')}${random.toString('hex', 2)}`;
  };
}

/** Whether `text` has the form of an identifier with this prefix. Says nothing about what exists. */
export function isId(prefix: string, text: unknown): text is string {
  return (
    typeof text === 'string' &&
    text.startsWith(`${prefix}_`) &&
    /^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(text.slice(prefix.length + 1))
  );
}
