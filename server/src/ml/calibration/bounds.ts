/** Bounds of every probability the service gives. No training set could support one closer to certainty. */
export const probabilityMin = 0.0001;
export const probabilityMax = 0.9999;

const marginMax = Math.log(probabilityMax / probabilityMin);
/** Log-odds from which `boundMargin` starts to bend: a probability of 1.2 in 10,000. */
const knee = 9;

/** Probabilities are rounded to this many steps: nine decimals, far finer than their accuracy. */
const probabilitySteps = 1e9;

/** Rounds a probability to nine decimals, to the number that these decimals parse as. */
export function roundProbability(p: number): number {
  return Math.round(p * probabilitySteps) / probabilitySteps;
}

/**
 * Rounds the probabilities of mutually exclusive classes, in place, to nine decimals that add up to 1. All are rounded
 * down, and the missing steps go one each to those with the largest remainders. A greater probability never becomes
 * smaller than a lesser one.
 */
export function roundClasses(probabilities: Float64Array): void {
  const rests = new Float64Array(probabilities.length);
  let missing = probabilitySteps;
  for (let c = 0; c < probabilities.length; c++) {
    const steps = probabilities[c] * probabilitySteps;
    const whole = Math.floor(steps);
    rests[c] = steps - whole;
    probabilities[c] = whole;
    missing -= whole;
  }
  for (; missing > 0; missing--) {
    let most = 0;
    for (let c = 1; c < rests.length; c++) if (rests[c] > rests[most]) most = c;
    probabilities[most]++;
    rests[most] = -1;
  }
  for (let c = 0; c < probabilities.length; c++) probabilities[c] /= probabilitySteps;
}

/** The probability, kept within the service's bounds. */
export function boundProbability(p: number): number {
  return Math.min(Math.max(p, probabilityMin), probabilityMax);
}

/**
 * Maps log-odds into the service's bounds, strictly increasing so that rows keep their order: the identity up to 9,
 * then 9 + r·e / (r + e) for an excess e and the room r to the bound.
 */
export function boundMargin(margin: number): number {
  const excess = Math.abs(margin) - knee;
  if (excess <= 0) return margin;
  const room = marginMax - knee;
  return Math.sign(margin) * (excess === Infinity ? marginMax : knee + (room * excess) / (room + excess));
}
