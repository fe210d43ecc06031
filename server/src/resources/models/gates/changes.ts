import { type CheckName, checkNames, checkRules } from '../../../ml/validation/checks.ts';
import type { GatePolicy } from '../../../schema/json.ts';
import { gateOf } from './policy.ts';

/** What of the gates of a model is otherwise than before. */
export type GateChange = {
  readonly gate: CheckName | 'approvals' | 'automatic';
  /** What of a check, or the columns of the segments; null of the others. */
  readonly field: 'threshold' | 'required' | 'must_tell' | 'columns' | null;
  readonly before: number | boolean | string;
  readonly after: number | boolean | string;
  /** Whether a version that did not pass may pass now. */
  readonly is_looser: boolean;
};

/** What a policy changes of another one, the default of what neither says included. */
export function gateChanges(before: GatePolicy, after: GatePolicy): GateChange[] {
  const ofChecks = checkNames.flatMap((name) => checkChanges(name, gateOf(before, name), gateOf(after, name)));
  const [were, are] = [before.segments ?? [], after.segments ?? []];
  // What is not told apart any more keeps nobody, where it could.
  const isFewer = gateOf(before, 'segments').required && were.some((name) => !are.includes(name));
  return [
    ...ofChecks,
    ...changed('segments', 'columns', were.join(', '), are.join(', '), isFewer),
    ...changed('approvals', null, before.approvals, after.approvals, after.approvals < before.approvals),
    ...changed('automatic', null, before.automatic, after.automatic, after.automatic),
  ];
}

type Gate = ReturnType<typeof gateOf>;

function checkChanges(name: CheckName, before: Gate, after: Gate): GateChange[] {
  const { rule } = checkRules[name];
  const isHigher = after.threshold > before.threshold;
  const isWider = rule === 'factor' || rule === 'at_most' ? isHigher : !isHigher;
  // What was not required kept nobody, whatever its threshold.
  const was = before.required;
  return [
    ...changed(name, 'threshold', before.threshold, after.threshold, was && isWider),
    ...changed(name, 'required', before.required, after.required, !after.required),
    ...changed(name, 'must_tell', before.must_tell, after.must_tell, was && !after.must_tell),
  ];
}

function changed<T extends number | boolean | string>(
  gate: GateChange['gate'],
  field: GateChange['field'],
  before: T,
  after: T,
  isLooser: boolean,
): GateChange[] {
  return before === after ? [] : [{ gate, field, before, after, is_looser: isLooser }];
}

/** A change in a line: `discrimination.threshold: -0.02 → -0.05`, `segments: region → none`. */
export function sayChange({ gate, field, before, after }: GateChange): string {
  const name = field === null || field === 'columns' ? gate : `${gate}.${field}`;
  const say = (value: GateChange['before']) => (value === '' ? 'none' : value);
  return `${name}: ${say(before)} → ${say(after)}`;
}
