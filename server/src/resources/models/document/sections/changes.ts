import { inputChanges } from '../../input-changes.ts';
import { type Block, list, table, text } from '../blocks.ts';
import type { Say } from '../say.ts';
import type { Told } from '../told.ts';
import { descriptionOf } from './reasons.ts';

const featuresShown = 40;

/** What is otherwise than in the version before: figures, data, inputs, and what is read. */
export function changes(told: Told, say: Say): Block[] {
  const { words, number } = say;
  const w = words.changes;
  const { before, version, report, inputs } = told;
  if (!before) return [text(w.first)];
  const figures = report.outputs.map(({ name, metric, out_of_fold: of }) => {
    const earlier = before.report.outputs.find((output) => output.name === name);
    const was = earlier?.metric === metric ? earlier.out_of_fold : null;
    return [name, metric, number(was?.value), number(of?.value), number(was?.rows), number(of?.rows)];
  });
  const rows = (said: string) => `${words.rows} (${said.toLowerCase()})`;
  const d = words.data;
  const made: readonly (readonly [string, string, string])[] = [
    [d.snapshot, before.version.snapshot_id, version.snapshot_id],
    [d.contract, number(before.version.contract_number), number(version.contract_number)],
    [d.trainingRows, number(before.report.training_rows), number(report.training_rows)],
    [d.graph, before.version.gfm_version_id ?? words.none, version.gfm_version_id ?? words.none],
    [words.methodology.features, number(before.report.features.length), number(report.features.length)],
  ];
  const known = new Set(before.inputs.map(({ name }) => name));
  const changed = [
    ...inputChanges(before.inputs, inputs).map(({ name, change }) => w.input[change](name)),
    ...inputs.filter(({ name, required }) => !known.has(name) && !required).map(({ name }) => w.input.added(name)),
  ];
  const [added, removed] = [featuresOnlyIn(report, before.report, say), featuresOnlyIn(before.report, report, say)];
  return [
    text(w.before(number(before.version.number))),
    table([words.output, words.performance.metric, w.was, w.is, rows(w.was), rows(w.is)], figures, w.measure),
    text(w.ownRows),
    table([words.name, w.was, w.is], made, w.data),
    ...(changed.length === 0 ? [text(w.noInputs)] : [text(`${w.inputs}:`), list(changed)]),
    ...(added.length === 0 && removed.length === 0 ? [text(w.sameFeatures)] : []),
    ...(added.length === 0 ? [] : [text(`${w.added}:`), list(shown(added, say))]),
    ...(removed.length === 0 ? [] : [text(`${w.removed}:`), list(shown(removed, say))]),
  ];
}

/** The features of a report that another one has not, in words; they are the same by what they read and how. */
function featuresOnlyIn(of: Told['report'], other: Told['report'], say: Say): string[] {
  const keyOf = ({ path, table, columns, span, aggregate, description }: Told['report']['features'][number]) =>
    JSON.stringify([path, table, columns, span, aggregate, description]);
  const known = new Set(other.features.map(keyOf));
  return of.features.filter((feature) => !known.has(keyOf(feature))).map((feature) => descriptionOf(feature, say));
}

function shown(features: readonly string[], { words, number }: Say): string[] {
  if (features.length <= featuresShown) return [...features];
  return [...features.slice(0, featuresShown), words.changes.more(number(features.length - featuresShown))];
}
