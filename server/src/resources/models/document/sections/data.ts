import { type Block, facts, table, text } from '../blocks.ts';
import type { Say } from '../say.ts';
import type { Told } from '../told.ts';
import { rangeOf } from './method.ts';

const columnsShown = 200;

/** What it was learned from, of when, and what it reads. */
export function data({ version, report, inputs }: Told, say: Say): Block[] {
  const { words, number } = say;
  const w = words.data;
  const read = [
    ...new Set(report.features.flatMap(({ columns, table }) => (columns.length > 0 ? columns : (table ?? [])))),
  ];
  // What training says of a column that it does not read is told in its notes.
  const unused = (report.unused_columns as readonly { table: string; column: string }[]).map(
    ({ table, column }) => `${table}.${column}`,
  );
  return [
    facts([
      [w.snapshot, version.snapshot_id],
      [w.taken, say.instant(version.snapshot_created_at)],
      [w.until, version.data_until ?? words.notKept],
      [w.contract, `${number(version.contract_number)} (${version.contract_id})`],
      [w.trainingRows, number(report.training_rows)],
      [w.graph, version.gfm_version_id ?? words.none],
    ]),
    table(
      [words.output, w.learnedRows, w.learnedFrom, w.measuredOn, w.calibratedOn],
      report.outputs.map(({ name, learned, out_of_fold: measured }) => [
        name,
        learned ? number(learned.rows) : words.notKept,
        say.days(learned?.days),
        measured ? say.days(measured.days) : words.notMeasured,
        measured?.checked ? say.days(measured.checked) : words.notMeasured,
      ]),
      w.learned,
    ),
    table(
      [words.name, words.purpose.type, w.required, w.personal, w.importance, words.purpose.range],
      inputs.map((field) => [
        field.name,
        field.type,
        say.yesNo(field.required),
        say.yesNo(field.pii),
        field.importance === undefined ? '' : say.percent(field.importance),
        rangeOf(field, say),
      ]),
      w.inputs,
    ),
    text(`${w.read}: ${listed(read, say)}`),
    ...(unused.length === 0 ? [] : [text(`${w.unused}: ${listed(unused, say)}`)]),
  ];
}

function listed(names: readonly string[], { words, number }: Say): string {
  if (names.length === 0) return words.none;
  const shown = names.slice(0, columnsShown).join(', ');
  return names.length > columnsShown ? `${shown} ${words.changes.more(number(names.length - columnsShown))}` : shown;
}
