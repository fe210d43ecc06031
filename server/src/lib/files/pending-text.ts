export const billion = 1e9;
/** UTF-16 units up to which a loop is faster than a call to the encoder. */
const shortTextMax = 48;

/** UTF-8 text that grows, in one buffer that is used again. */
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

  /** Adds what is UTF-8 already. */
  addBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    const { buffer, length } = this;
    if (bytes.length > shortTextMax) buffer.set(bytes, length);
    else for (let index = 0; index < bytes.length; index++) buffer[length + index] = bytes[index]!;
    this.length += bytes.length;
  }

  /** Adds a whole number in [0, 1e9). */
  addDigits(value: number): void {
    let digits = 1;
    for (let power = 10; power <= value; power *= 10) digits++;
    this.addPadded(value, digits);
  }

  /** Adds a whole number in [0, 1e9) with zeros in front, as so many digits. */
  addPadded(value: number, digits: number): void {
    this.reserve(digits);
    const { buffer } = this;
    let rest = value | 0;
    for (let at = this.length + digits - 1; at >= this.length; at--) {
      const tenth = (rest / 10) | 0;
      buffer[at] = 48 + rest - tenth * 10;
      rest = tenth;
    }
    this.length += digits;
  }

  /** Adds so many billionths, a whole number in [0, 1e15), without zeros at the end. */
  addBillionths(value: number): void {
    const whole = Math.floor(value / billion);
    this.addDigits(whole);
    const rest = value - whole * billion;
    if (rest === 0) return;
    this.add('.');
    this.addPadded(rest, 9);
    while (this.buffer[this.length - 1] === 48) this.length--;
  }

  /** What was added; to be used before more is. */
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
