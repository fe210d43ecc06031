/**
 * Products of rows and axes: out[r][i] = Σ raws[r][k] · rotation[i][k]. A product is four sums over every fourth column, of which the first
 * takes what is left over, whatever other rows there are. Four rows go at once, so that an axis is made wide once for them.
 *
 * rotation: float32, axes × width. raws: float64, rows × width. out: float64, rows × axes.
 */
export function rotateRows(rotation: usize, axes: u32, raws: usize, rows: u32, width: u32, out: usize): void {
  const rawBytes = <usize>width << 3;
  const outBytes = <usize>axes << 3;
  for (let first: u32 = 0; first < rows; first += 4) {
    // Where there are not four, the last one goes again.
    const p = raws + <usize>first * rawBytes;
    const q = raws + <usize>min(first + 1, rows - 1) * rawBytes;
    const s = raws + <usize>min(first + 2, rows - 1) * rawBytes;
    const u = raws + <usize>min(first + 3, rows - 1) * rawBytes;
    const toP = out + <usize>first * outBytes;
    const toQ = out + <usize>min(first + 1, rows - 1) * outBytes;
    const toS = out + <usize>min(first + 2, rows - 1) * outBytes;
    const toU = out + <usize>min(first + 3, rows - 1) * outBytes;
    let axis = rotation;
    for (let i: usize = 0; i < outBytes; i += 8, axis += <usize>width << 2) {
      let pLow = f64x2.splat(0);
      let qLow = pLow;
      let sLow = pLow;
      let uLow = pLow;
      let pHigh = pLow;
      let qHigh = pLow;
      let sHigh = pLow;
      let uHigh = pLow;
      let k: usize = 0;
      for (; k + 32 <= rawBytes; k += 32) {
        const low = f64x2.promote_low_f32x4(v128.load64_zero(axis + (k >> 1)));
        const high = f64x2.promote_low_f32x4(v128.load64_zero(axis + (k >> 1), 8));
        pLow = f64x2.add(pLow, f64x2.mul(low, v128.load(p + k)));
        pHigh = f64x2.add(pHigh, f64x2.mul(high, v128.load(p + k, 16)));
        qLow = f64x2.add(qLow, f64x2.mul(low, v128.load(q + k)));
        qHigh = f64x2.add(qHigh, f64x2.mul(high, v128.load(q + k, 16)));
        sLow = f64x2.add(sLow, f64x2.mul(low, v128.load(s + k)));
        sHigh = f64x2.add(sHigh, f64x2.mul(high, v128.load(s + k, 16)));
        uLow = f64x2.add(uLow, f64x2.mul(low, v128.load(u + k)));
        uHigh = f64x2.add(uHigh, f64x2.mul(high, v128.load(u + k, 16)));
      }
      for (; k < rawBytes; k += 8) {
        const value = f64x2.replace_lane(f64x2.splat(0), 0, <f64>load<f32>(axis + (k >> 1)));
        pLow = f64x2.add(pLow, f64x2.mul(value, v128.load64_zero(p + k)));
        qLow = f64x2.add(qLow, f64x2.mul(value, v128.load64_zero(q + k)));
        sLow = f64x2.add(sLow, f64x2.mul(value, v128.load64_zero(s + k)));
        uLow = f64x2.add(uLow, f64x2.mul(value, v128.load64_zero(u + k)));
      }
      store<f64>(toP + i, lanes(pLow) + lanes(pHigh));
      store<f64>(toQ + i, lanes(qLow) + lanes(qHigh));
      store<f64>(toS + i, lanes(sLow) + lanes(sHigh));
      store<f64>(toU + i, lanes(uLow) + lanes(uHigh));
    }
  }
}

@inline
function lanes(sums: v128): f64 {
  return f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
}
