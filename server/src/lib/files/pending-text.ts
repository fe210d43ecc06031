const billion = 1e9;
/** UTF-16 units up to which a loop is faster than a call to the encoder. */
const shortTextMax = 48;
/** Bytes of a number without exponent: a sign, six digits or nine, a point and nine decimals. */
const numberBytesMax = 20;
/** 000 to 999: numbers are written three digits at a time. */
const triples = Buffer.from(Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0')).join(''));

/** UTF-8 text that grows in one buffer, which is used again after `clear`. */
export class PendingText {
  length = 0;
  private buffer: Buffer;

  constructor(bytes: number) {
    this.buffer = Buffer.allocUnsafe(bytes);
  }

  add(text: string): void {
    // One UTF-16 unit is at most three bytes of UTF-8.
    this.reserve(text.length * 3);
    if (text.length <= shortTextMax) {
      const { buffer } = this;
      let at = this.length;
      let index = 0;
      for (; index < text.length; index++) {
        const unit = text.charCodeAt(index);
        if (unit > 127) break;
        buffer[at++] = unit;
      }
      if (index === text.length) {
        this.length = at;
        return;
      }
    }
    this.length += this.buffer.write(text, this.length);
  }

  /** Adds bytes that are UTF-8 already. */
  addBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    const { buffer, length } = this;
    if (bytes.length > shortTextMax) buffer.set(bytes, length);
    else for (let index = 0; index < bytes.length; index++) buffer[length + index] = bytes[index];
    this.length = length + bytes.length;
  }

  /**
   * Adds a number of few digits, positive or negative, and returns true; adds nothing and returns false for any other.
   * `decimal`: the sign before decimals.
   * Its size must be a whole number in (0, 1e9), or lie in [1e-6, 1e6) with at most nine decimals. No shorter decimal
   * reads as the same number, so the text is the one that JavaScript writes.
   */
  addPlain(value: number, decimal: number = point): boolean {
    const size = Math.abs(value);
    const whole = Math.floor(size);
    const isWhole = whole === size;
    if (isWhole ? !(size > 0 && size < billion) : !(size >= 1e-6 && size < 1e6)) return false;
    const scaled = isWhole ? 0 : Math.round(size * billion);
    if (!isWhole && scaled / billion !== size) return false;
    this.reserve(numberBytesMax);
    const { buffer } = this;
    let at = this.length;
    if (value < 0) buffer[at++] = minus;
    at = addDigits(buffer, at, whole | 0);
    if (!isWhole) {
      const rest = (scaled - whole * billion) | 0;
      const thousands = (rest / 1000) | 0;
      const millions = (thousands / 1000) | 0;
      buffer[at++] = decimal;
      at = addTriple(buffer, at, millions);
      at = addTriple(buffer, at, thousands - millions * 1000);
      at = addTriple(buffer, at, rest - thousands * 1000);
      while (buffer[at - 1] === zero) at--;
    }
    this.length = at;
    return true;
  }

  /** The bytes that were added, valid until more are added. */
  bytes(): Uint8Array {
    return this.buffer.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.length + bytes));
    larger.set(this.bytes());
    this.buffer = larger;
  }
}

const [minus, point, zero] = [45, 46, 48];

/** Writes a whole number in [0, 1e9) without leading zeros. Returns the position after it. */
function addDigits(buffer: Uint8Array, start: number, value: number): number {
  if (value < 10) {
    buffer[start] = zero + value;
    return start + 1;
  }
  let end = start + 1;
  for (let rest = value; rest >= 10; rest = (rest / 10) | 0) end++;
  let rest = value;
  for (let at = end - 1; at >= start; at--) {
    const tenth = (rest / 10) | 0;
    buffer[at] = zero + rest - tenth * 10;
    rest = tenth;
  }
  return end;
}

/** Writes a whole number in [0, 1000) as three digits. Returns the position after them. */
function addTriple(buffer: Uint8Array, at: number, value: number): number {
  const from = value * 3;
  buffer[at] = triples[from];
  buffer[at + 1] = triples[from + 1];
  buffer[at + 2] = triples[from + 2];
  return at + 3;
}
