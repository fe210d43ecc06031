/** Most decimals of a price in reais: a millionth. */
const decimalsMax = 6;
const microsPerCent = 10_000n;

/**
 * Reads an amount in reais, written with a point and up to six decimals, in millionths of a real. Null for any other
 * text.
 */
export function readMicros(text: string): bigint | null {
  const [, whole, decimals = ''] = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  return BigInt(whole) * 10n ** BigInt(decimalsMax) + BigInt(decimals.padEnd(decimalsMax, '0'));
}

/** Centavos of `numerator / denominator` millionths of a real, half a centavo upwards. Neither is negative. */
export function toCents(numerator: bigint, denominator: bigint): bigint {
  const divisor = denominator * microsPerCent;
  return (2n * numerator + divisor) / (2n * divisor);
}

/** An amount in centavos as a decimal in reais: 1234 is `12.34`. */
export function decimalOf(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
