/**
 * Sorts float32 values ascending in place, −0 before 0 and missing ones last: a radix sort of 11, 11 and 10 bits over
 * keys that order like the numbers. scratch: as long as the values. counts: 3 × 2048 u32.
 */
export function sortFloats(values: usize, rows: u32, scratch: usize, counts: usize): void {
  const bytes = <usize>rows << 2;
  memory.fill(counts, 0, 3 * 8192);
  for (let p = values; p < values + bytes; p += 4) {
    const key = orderedKey(p);
    store<u32>(p, key);
    count(counts, key & 2047);
    count(counts + 8192, (key >> 11) & 2047);
    count(counts + 16384, key >> 22);
  }
  for (let pass: usize = 0; pass < 3; pass++) {
    let start: u32 = 0;
    for (let at = counts + pass * 8192; at < counts + (pass + 1) * 8192; at += 4) {
      const size = load<u32>(at);
      store<u32>(at, start);
      start += size;
    }
  }
  for (let p = values; p < values + bytes; p += 4) place(load<u32>(p), counts, load<u32>(p) & 2047, scratch);
  for (let p = scratch; p < scratch + bytes; p += 4) place(load<u32>(p), counts + 8192, (load<u32>(p) >> 11) & 2047, values);
  for (let p = values; p < values + bytes; p += 4) place(load<u32>(p), counts + 16384, load<u32>(p) >> 22, scratch);
  for (let i: usize = 0; i < bytes; i += 4) {
    const key = load<u32>(scratch + i);
    store<u32>(values + i, key ^ (key >> 31 ? 0x80000000 : 0xffffffff));
  }
}

/** Sign-magnitude turned into a whole number of the same order; every NaN becomes the largest. */
@inline
function orderedKey(at: usize): u32 {
  const bits = load<u32>(at);
  if (load<f32>(at) != load<f32>(at)) return 0xffffffff;
  return bits ^ (bits >> 31 ? 0xffffffff : 0x80000000);
}

@inline
function count(counts: usize, digit: u32): void {
  const at = counts + (<usize>digit << 2);
  store<u32>(at, load<u32>(at) + 1);
}

@inline
function place(key: u32, starts: usize, digit: u32, into: usize): void {
  const at = starts + (<usize>digit << 2);
  const index = load<u32>(at);
  store<u32>(at, index + 1);
  store<u32>(into + (<usize>index << 2), key);
}
