/**
 * Writes the bin of each value: 0 when missing, else 1 + the number of cuts below the value.
 * cuts: 255 ascending float32, padded with +Infinity (never exceeded), so the search takes 8 steps without a branch.
 */
export function binColumn(values: usize, rows: u32, cuts: usize, bins: usize): void {
  for (let i: u32 = 0; i < rows; i++) {
    const value = load<f32>(values + (<usize>i << 2));
    let at: usize = 0;
    at += select<usize>(512, 0, value > load<f32>(cuts + at, 508));
    at += select<usize>(256, 0, value > load<f32>(cuts + at, 252));
    at += select<usize>(128, 0, value > load<f32>(cuts + at, 124));
    at += select<usize>(64, 0, value > load<f32>(cuts + at, 60));
    at += select<usize>(32, 0, value > load<f32>(cuts + at, 28));
    at += select<usize>(16, 0, value > load<f32>(cuts + at, 12));
    at += select<usize>(8, 0, value > load<f32>(cuts + at, 4));
    at += select<usize>(4, 0, value > load<f32>(cuts + at, 0));
    store<u8>(bins + i, select<u32>(0, 1 + <u32>(at >> 2), value != value));
  }
}
