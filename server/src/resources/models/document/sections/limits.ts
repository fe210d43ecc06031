import { type Block, list, table, text } from '../blocks.ts';
import type { Say } from '../say.ts';
import type { Told } from '../told.ts';
import { sayNote, sayWarning } from '../warnings.ts';
import { rangeOf } from './method.ts';

/** What the training warned of, what it assumed, and where the model does not hold. */
export function limits({ version, report, inputs }: Told, say: Say): Block[] {
  const { words, number } = say;
  const w = words.limits;
  const notes = report.notes.map((note) => sayNote(note, say));
  const said = notes.filter((note) => note !== null);
  const bounded = inputs.filter(({ minimum, maximum }) => minimum !== undefined || maximum !== undefined);
  return [
    text(w.asOf),
    ...(version.warnings.length === 0
      ? [text(w.noWarnings)]
      : [text(`${w.warnings}:`), list(version.warnings.map((warning) => sayWarning(warning, say)))]),
    ...(said.length === 0 ? [] : [text(`${w.notes}:`), list(said)]),
    ...(said.length === notes.length ? [] : [text(w.moreNotes(number(notes.length - said.length)))]),
    ...(report.leakage.length === 0
      ? [text(w.noLeakage)]
      : [
          table(
            [w.at, w.rule, w.certain, w.lift],
            report.leakage.map(({ at, rule, certain, lift }) => [at, rule, say.yesNo(certain), number(lift)]),
            w.leakage,
          ),
        ]),
    ...(bounded.length === 0
      ? []
      : [
          table(
            [words.name, words.purpose.range],
            bounded.map((field) => [field.name, rangeOf(field, say)]),
            w.range,
          ),
        ]),
  ];
}
