/**
 * QR codes of short texts (ISO/IEC 18004, byte mode, error correction M), so that no library, and nobody else, sees the
 * secret of a second factor. The mask is always the first one: any mask can be read, and the choice among them is only
 * advised.
 */
export function qrModules(text: string): readonly (readonly boolean[])[] {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  const codewords = interleave(withLength(bytes, version), version);
  const { dark, isFunction } = functionPatterns(version);
  placeData(dark, isFunction, codewords);
  placeFormat(dark);
  return dark;
}

/** Of error correction M, by version from 1: codewords of correction in each block, and blocks. */
const correctionOf = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26] as const;
const blocksOf = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16] as const;

/** Codewords of data and correction together: modules that are no pattern, in eights. */
function codewordsOf(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const alignments = Math.floor(version / 7) + 2;
    modules -= (25 * alignments - 10) * alignments - 55;
  }
  if (version >= 7) modules -= 36;
  return Math.floor(modules / 8);
}

const dataCodewordsOf = (version: number): number =>
  codewordsOf(version) - correctionOf[version - 1] * blocksOf[version - 1];

const lengthBitsOf = (version: number): number => (version < 10 ? 8 : 16);

function versionFor(bytes: number): number {
  for (let version = 1; version <= correctionOf.length; version += 1)
    if (4 + lengthBitsOf(version) + 8 * bytes <= 8 * dataCodewordsOf(version)) return version;
  throw new RangeError(`${bytes} bytes are too many for a QR code of version ${correctionOf.length}`);
}

/** The mode, the length and the bytes as codewords, filled up to what the version holds. */
function withLength(bytes: Uint8Array, version: number): Uint8Array {
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let at = length - 1; at >= 0; at -= 1) bits.push((value >>> at) & 1);
  };
  push(0b0100, 4);
  push(bytes.length, lengthBitsOf(version));
  for (const byte of bytes) push(byte, 8);
  const capacity = dataCodewordsOf(version);
  push(0, Math.min(4, 8 * capacity - bits.length));
  push(0, (8 - (bits.length % 8)) % 8);
  const data = new Uint8Array(capacity);
  for (let at = 0; at < capacity; at += 1) {
    const start = 8 * at;
    data[at] =
      start < bits.length
        ? bits.slice(start, start + 8).reduce((byte, bit) => (byte << 1) | bit, 0)
        : (at - bits.length / 8) % 2 === 0
          ? 0xec
          : 0x11;
  }
  return data;
}

/** Cuts the data into blocks, adds the correction of each, and writes them by turns. */
function interleave(data: Uint8Array, version: number): Uint8Array {
  const count = blocksOf[version - 1];
  const length = correctionOf[version - 1];
  const total = codewordsOf(version);
  const shortBlocks = count - (total % count);
  const shortLength = Math.floor(total / count) - length;
  const divisor = reedSolomonDivisor(length);
  const blocks: { readonly data: Uint8Array; readonly correction: Uint8Array }[] = [];
  let from = 0;
  for (let at = 0; at < count; at += 1) {
    const block = data.subarray(from, from + shortLength + (at < shortBlocks ? 0 : 1));
    from += block.length;
    blocks.push({ data: block, correction: reedSolomonRemainder(block, divisor) });
  }
  const written: number[] = [];
  for (let at = 0; at <= shortLength; at += 1)
    for (const block of blocks) if (at < block.data.length) written.push(block.data[at]);
  for (let at = 0; at < length; at += 1) for (const block of blocks) written.push(block.correction[at]);
  return Uint8Array.from(written);
}

/** A product in the field of 256 elements over x⁸ + x⁴ + x³ + x² + 1. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

function reedSolomonDivisor(degree: number): Uint8Array {
  const divisor = new Uint8Array(degree);
  divisor[degree - 1] = 1;
  let root = 1;
  for (let step = 0; step < degree; step += 1) {
    for (let at = 0; at < degree; at += 1)
      divisor[at] = multiply(divisor[at], root) ^ (at + 1 < degree ? divisor[at + 1] : 0);
    root = multiply(root, 2);
  }
  return divisor;
}

function reedSolomonRemainder(data: Uint8Array, divisor: Uint8Array): Uint8Array {
  const remainder = new Uint8Array(divisor.length);
  for (const byte of data) {
    const factor = byte ^ remainder[0];
    remainder.copyWithin(0, 1);
    remainder[remainder.length - 1] = 0;
    for (let at = 0; at < divisor.length; at += 1) remainder[at] ^= multiply(divisor[at], factor);
  }
  return remainder;
}

/** The patterns by which a reader finds and straightens the code, and which modules they take. */
function functionPatterns(version: number) {
  const size = 17 + 4 * version;
  const dark = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const isFunction = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const set = (x: number, y: number, isDark: boolean) => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    dark[y][x] = isDark;
    isFunction[y][x] = true;
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ])
    for (let dy = -4; dy <= 4; dy += 1)
      for (let dx = -4; dx <= 4; dx += 1) {
        const ring = Math.max(Math.abs(dx), Math.abs(dy));
        set(x + dx, y + dy, ring !== 2 && ring !== 4);
      }
  const centers = alignmentCenters(version, size);
  const last = centers.length - 1;
  for (const [i, x] of centers.entries())
    for (const [j, y] of centers.entries()) {
      // Three corners have finders instead.
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) continue;
      for (let dy = -2; dy <= 2; dy += 1)
        for (let dx = -2; dx <= 2; dx += 1) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }
  // The modules of the format are kept free, and written last.
  for (let at = 0; at < 9; at += 1) {
    if (at !== 6) {
      set(8, at, false);
      set(at, 8, false);
    }
    if (at < 8) {
      set(size - 1 - at, 8, false);
      set(8, size - 1 - at, false);
    }
  }
  if (version >= 7) {
    let remainder = version;
    for (let step = 0; step < 12; step += 1) remainder = (remainder << 1) ^ ((remainder >>> 11) * 0x1f25);
    const bits = (version << 12) | remainder;
    for (let at = 0; at < 18; at += 1) {
      const isDark = ((bits >>> at) & 1) === 1;
      const [far, near] = [size - 11 + (at % 3), Math.floor(at / 3)];
      set(far, near, isDark);
      set(near, far, isDark);
    }
  }
  return { dark, isFunction };
}

function alignmentCenters(version: number, size: number): readonly number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  const centers = [6];
  for (let at = size - 7; centers.length < count; at -= step) centers.splice(1, 0, at);
  return centers;
}

/** Writes the codewords in columns of two, up and down from the right, under the mask. */
function placeData(dark: boolean[][], isFunction: readonly (readonly boolean[])[], codewords: Uint8Array): void {
  const size = dark.length;
  let at = 0;
  for (let pair = 0; 2 * pair < size - 1; pair += 1) {
    // The column of the timing pattern is passed over.
    const right = size - 1 - 2 * pair;
    const column = right <= 6 ? right - 1 : right;
    for (let step = 0; step < size; step += 1)
      for (const x of [column, column - 1]) {
        const isUpward = ((column + 1) & 2) === 0;
        const y = isUpward ? size - 1 - step : step;
        if (isFunction[y][x]) continue;
        const bit = at < 8 * codewords.length && ((codewords[at >>> 3] >>> (7 - (at & 7))) & 1) === 1;
        at += 1;
        dark[y][x] = bit !== ((x + y) % 2 === 0);
      }
  }
}

/** Error correction M (00) and mask 0, with their own correction: written twice. */
function placeFormat(dark: boolean[][]): void {
  const size = dark.length;
  const format = 0b00000;
  let remainder = format;
  for (let step = 0; step < 10; step += 1) remainder = (remainder << 1) ^ ((remainder >>> 9) * 0x537);
  const bits = ((format << 10) | remainder) ^ 0x5412;
  const bit = (at: number) => ((bits >>> at) & 1) === 1;
  for (let at = 0; at <= 5; at += 1) dark[at][8] = bit(at);
  dark[7][8] = bit(6);
  dark[8][8] = bit(7);
  dark[8][7] = bit(8);
  for (let at = 9; at < 15; at += 1) dark[8][14 - at] = bit(at);
  for (let at = 0; at < 8; at += 1) dark[8][size - 1 - at] = bit(at);
  for (let at = 8; at < 15; at += 1) dark[size - 15 + at][8] = bit(at);
  dark[size - 8][8] = true;
}
