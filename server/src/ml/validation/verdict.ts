import type { Check, CheckName } from './checks.ts';

/**
 * What a version is beside the one that it would replace. `broken`: it reads what is not known in time; `drifted`: what
 * it reads, or says, is otherwise at present; `misscaled`: its probabilities mean other rates than they say; `equal`:
 * no worse, and not better by what matters; `cannot_tell`: too few rows that flatter neither.
 */
export const verdicts = ['better', 'equal', 'worse', 'broken', 'drifted', 'misscaled', 'cannot_tell'] as const;
export type Verdict = (typeof verdicts)[number];

/** A gain in the task's metric, or in log loss as a share, that matters; and one that hardly any true change brings. */
const gainsMin = { discrimination: 0.015, log_loss: 0.03 };
const implausibleGain = 0.08;
/** Who predicts so many times too much, or too little, is off by that first, whatever else differs. */
const grossFactor = 2;
/** How much worse the metric may be, by its interval, for two to be called equal. */
const equalWithin = -0.05;

/** Sums checks up, and says by which. */
export function verdictOf(checks: readonly Check[]): { readonly verdict: Verdict; readonly reason: string } {
  const of = (name: CheckName) => checks.find((check) => check.name === name);
  const isFailed = (name: CheckName) => of(name)?.status === 'failed';
  const failed = (names: readonly CheckName[]) => names.find(isFailed);
  const say = (verdict: Verdict, name: CheckName | undefined, otherwise = '') => ({
    verdict,
    reason: (name && of(name)?.message) || otherwise,
  });
  const leak = failed(['hindsight', 'replay', 'plausibility']);
  if (leak) return say('broken', leak);
  const moved = failed(['population', 'missing_inputs']);
  const gain = of('discrimination');
  const gained = gain?.value ?? 0;
  // Data of before would have told whether it reads what is filled in later.
  if (moved && gained >= implausibleGain && of('replay')?.value == null)
    return {
      verdict: 'broken',
      reason: `it looks better by ${gained.toFixed(3)} on rows that it reads otherwise than those of the present: ${of(moved)!.message}`,
    };
  const scaled = failed(['calibration_level', 'calibration_slope', 'score_meaning']);
  if (isGross(of('calibration_level'))) return say('misscaled', 'calibration_level');
  if (isFailed('discrimination')) return say('worse', 'discrimination');
  if (moved) return say('drifted', moved);
  if (scaled) return say('misscaled', scaled);
  if (isFailed('log_loss')) return say('worse', 'log_loss');
  const apart = failed(['distribution', 'rank_consistency', 'shadow_distribution', 'shadow_refusals']);
  if (apart) return say('drifted', apart);
  const better = (['discrimination', 'log_loss'] as const).find((name) => {
    const check = of(name);
    return check && check.value !== null && check.value >= gainsMin[name] && check.low !== null && check.low > 0;
  });
  if (better) return say('better', better);
  if (!gain || gain.value === null || gain.low === null || gain.low < equalWithin)
    return say('cannot_tell', 'discrimination', 'nothing could be compared');
  return say('equal', 'discrimination');
}

function isGross(level: Check | undefined): boolean {
  return level?.status === 'failed' && (level.value! > grossFactor || level.value! < 1 / grossFactor);
}
