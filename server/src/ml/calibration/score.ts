/** Score bands of the service specification, safest first. `from` is the lowest score of the band. */
export const riskBands = [
  { from: 900, name: 'Exceptional' },
  { from: 800, name: 'Low Risk' },
  { from: 700, name: 'Moderate Risk' },
  { from: 600, name: 'Medium Risk' },
  { from: 400, name: 'High Risk' },
  { from: 0, name: 'Very High Risk' },
] as const;

export type RiskBand = (typeof riskBands)[number]['name'];

/**
 * The credit score of a probability of default within 365 days: clamp(round(600 + 80 · log2((1 - p) / p / 9)), 0,
 * 1000). It never changes between models and versions: 10 % is 600, and each doubling of the odds of paying adds 80
 * points.
 */
export function creditScore(defaultProbability: number): number {
  return Math.round(exactCreditScore(defaultProbability));
}

/** The credit score before it is rounded, in 0 … 1000. */
export function exactCreditScore(defaultProbability: number): number {
  const p = defaultProbability;
  return Math.min(Math.max(600 + 80 * Math.log2((1 - p) / p / 9), 0), 1000);
}

/** The band of a credit score in 0 … 1000. */
export function riskBand(score: number): RiskBand {
  const band = riskBands.find(({ from }) => score >= from);
  return (band ?? riskBands[riskBands.length - 1]).name;
}
