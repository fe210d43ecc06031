/**
 * For each row the mean label of its value among the rows of the other half, the odd ones for the even and the reverse,
 * so that no label tells of itself; NaN where the value is missing or the other half lacks it.
 */
export function ratesOfOtherHalf(values: ArrayLike<number>, labels: ArrayLike<number>): Float64Array {
  const sums = [new Map<number, [sum: number, count: number]>(), new Map<number, [sum: number, count: number]>()];
  for (let row = 0; row < values.length; row++) {
    const [sum, count] = sums[row % 2]!.get(values[row]!) ?? [0, 0];
    sums[row % 2]!.set(values[row]!, [sum + labels[row]!, count + 1]);
  }
  return Float64Array.from({ length: values.length }, (_, row) => {
    const value = values[row]!;
    const [sum, count] = sums[1 - (row % 2)]!.get(value) ?? [0, 0];
    return Number.isNaN(value) || count === 0 ? Number.NaN : sum / count;
  });
}
