/** An answer as a sum: that of the average case, what the reasons move, what all else moves, and its own. */
export type Parts = {
  readonly usual: number;
  readonly reasons: number;
  readonly others: number;
  readonly answer: number;
};

/**
 * The parts as they are written, of so many digits after the point, so that they add up: all else, which is no figure
 * of its own, takes what rounding leaves.
 */
export function addUp({ usual, reasons, answer }: Omit<Parts, 'others'>, digits: number): Parts {
  const said = { usual: round(usual, digits), reasons: round(reasons, digits), answer: round(answer, digits) };
  return { ...said, others: round(said.answer - said.usual - said.reasons, digits) };
}

/** Halves away from zero, as sentences have them, and no zero below zero. */
export function round(value: number, digits: number): number {
  const scaled = Math.round(Math.abs(value) * 10 ** digits) / 10 ** digits;
  return scaled === 0 ? 0 : Math.sign(value) * scaled;
}
