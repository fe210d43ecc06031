/** No probability the service gives is nearer to certainty than this: no training set could show it. */
export const probabilityMin = 0.0001;
export const probabilityMax = 0.9999;

const marginMax = Math.log(probabilityMax / probabilityMin);
/** Log-odds from which the bound is felt: a probability of 1.2 in 10,000. */
const knee = 9;

/** Probabilities are told in so many steps: nine decimals, far finer than any of them is known. */
const probabilitySteps = 1e9;

/** The probability to nine decimals, as the number that these decimals read as. */
export function roundProbability(p: number): number {
  return Math.round(p * probabilitySteps) / probabilitySteps;
}

/**
 * Rounds the probabilities of classes that exclude each other, in place, to nine decimals that add up to 1: down, and
 * the steps that are then missing go to those that lost most, one each (largest remainders). A greater one stays no
 * smaller.
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
 * Log-odds brought within the service's bounds, strictly increasing so that rows keep their order: the identity up to
 * 9, then 9 + r·e / (r + e) for an excess e and the room r to the bound.
 */
export function boundMargin(margin: number): number {
  const excess = Math.abs(margin) - knee;
  if (excess <= 0) return margin;
  const room = marginMax - knee;
  return Math.sign(margin) * (excess === Infinity ? marginMax : knee + (room * excess) / (room + excess));
}
