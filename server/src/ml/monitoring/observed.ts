import { headRulesOf, kindNamed } from '../kinds/kinds.ts';
import type { Objective, ObjectiveKind } from '../statistics/objective.ts';
import { horizonsOf, type Target } from '../tasks/target.ts';
import type { Task } from '../tasks/task.ts';

/** A field of a version's answers that says what will be observed. */
export type ObservedField = {
  /** The name of the field, and the position of the version's output that it shows. */
  readonly name: string;
  readonly output: number;
  readonly kind: ObjectiveKind;
  /** Of multiclass; the fields of their probabilities stand at the same places, null where answers have none. */
  readonly classes: readonly string[];
  readonly probabilities: readonly (string | null)[];
  /** Days from the moment of the prediction until the label is known; null where the task does not say. */
  readonly windowDays: number | null;
  /** The label that stands once it has been observed, though the window is open: what has happened stays so. */
  readonly settles: 0 | 1 | null;
};

/** What is read of a stored version. */
export type ObservedVersion = {
  readonly task: Task;
  readonly outputs: readonly { readonly name: string; readonly objective: Objective }[];
  readonly outputFields: readonly { readonly name: string }[];
};

/** The fields of a version's answers whose outcomes can be observed, the deciding one first. */
export function observedFields({ task, outputs, outputFields }: ObservedVersion): ObservedField[] {
  const names = new Set(outputFields.map(({ name }) => name));
  const rules = headRulesOf(task.kind);
  const fields = outputs.map(({ name, objective }, output): ObservedField | null => {
    const head = rules.find((rule) => rule.name === name);
    // What answers call the output of a head; some show only what is made of it.
    const field = [head?.bounds, name, `${name}_signal`].find((one) => one !== undefined && names.has(one));
    if (field === undefined) return null;
    const own = task.heads?.[output];
    const target = own ? own.target : task.target;
    const classes = objective.kind === 'multiclass' ? objective.classes : [];
    return {
      ...{ name: field, output, kind: objective.kind, classes },
      probabilities: classes.map((label) => {
        const probability = `${name.replace(/^prediction/, 'probability')}_${label}`;
        return names.has(probability) ? probability : null;
      }),
      windowDays: target ? horizonsOf(target)[own ? 0 : output] : (task.windowDays ?? null),
      settles: objective.kind === 'binary' ? settlesAt(target, kindNamed(task.kind).isRisk === true) : null,
    };
  });
  const known = fields.filter((field) => field !== null);
  // Of horizons the longest decides, of heads the first.
  return task.heads ? known : known.toReversed();
}

/** Rows only come: a count passes a bound once and for ever. A risk that has come is not taken back. */
function settlesAt(target: Target | undefined, isRisk: boolean): 0 | 1 | null {
  if (!target) return isRisk ? 1 : null;
  if (target.kind === 'delinquency' || target.aggregate === 'exists') return 1;
  if (target.aggregate !== 'count' || !target.than) return null;
  const { is, value } = target.than;
  if (is === '>' || is === '>=') return 1;
  if (is === '<' || is === '<=' || (is === '=' && value === 0)) return 0;
  return is === '!=' && value === 0 ? 1 : null;
}
