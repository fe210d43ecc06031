import type { Schemas } from '@lastro/sdk';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { useGates } from './change-gates.tsx';
import { validationReportWords } from './validation-report-words.ts';
import { validationWords } from './validation-words.ts';

type Result = Schemas['ValidationResult'];
type Check = Schemas['ValidationCheck'];

/** How a value is held against its threshold, by the check. */
const limitOf: Readonly<Record<Check['name'], 'at_least' | 'at_most' | 'factor'>> = {
  ...{ discrimination: 'at_least', log_loss: 'at_least', stability: 'at_least', segments: 'at_least' },
  ...{ rank_consistency: 'at_least', replay: 'at_least' },
  ...{ calibration_level: 'factor', calibration_slope: 'factor' },
  ...{ shadow_refusals: 'at_most', shadow_distribution: 'at_most' },
  ...{ score_meaning: 'at_most', distribution: 'at_most', population: 'at_most', missing_inputs: 'at_most' },
  ...{ hindsight: 'at_most', plausibility: 'at_most', band_migration: 'at_most', latency: 'at_most' },
};

/** Says what a check measured, with its interval where it has one, and what is asked of it. */
export function useSayCheck() {
  const w = useWords(validationWords);
  const r = useWords(validationReportWords);
  const format = useFormat();
  const figure = (value: number | null) => (value === null ? '—' : format.number(Math.round(1000 * value) / 1000));
  return {
    figure,
    measured: ({ value, low, high }: Pick<Check, 'value' | 'low' | 'high'>) =>
      low === null || high === null ? figure(value) : r.interval(figure(value), figure(low), figure(high)),
    asked: ({ name }: Check, threshold: number) => w.limits[limitOf[name]](figure(threshold)),
  };
}

/** The verdict in a sentence, what decided it, and what may be done about it. */
export function Why({ modelId, result }: { readonly modelId: string; readonly result: Result }) {
  const w = useWords(validationWords);
  const r = useWords(validationReportWords);
  const { figure, measured, asked } = useSayCheck();
  const { data: gates } = useGates(modelId);
  const { verdict, reason, checks } = result;
  const check = decidedBy(result);
  const say = (one: Check) =>
    one.value === null
      ? r.notMeasured(w.checkNames[one.name])
      : r.whyOf(w.checkNames[one.name], measured(one), asked(one, gates?.checks[one.name].threshold ?? one.threshold));
  const gain = checks.find(({ name }) => name === 'discrimination')?.value ?? null;
  // Of one that looks too good, the check is what it reads otherwise.
  const isTooGood = check !== undefined && check.message !== reason;
  return (
    <div className="mb-4 flex max-w-3xl flex-col gap-1">
      <p className="font-medium">{r.means[verdict]}</p>
      {check && <p>{isTooGood ? r.tooGood(figure(gain), say(check)) : say(check)}</p>}
      {check?.status === 'failed' && <p className="text-ink2">{r.advice[check.name]}</p>}
    </div>
  );
}

/** The check whose message gives the reason of the verdict, or ends it; none where nothing could be compared. */
function decidedBy({ reason, checks }: Result): Check | undefined {
  return checks.find(({ message }) => message === reason) ?? checks.find(({ message }) => reason.endsWith(message));
}
