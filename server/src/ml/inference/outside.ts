import { sayPopulation } from '../explain/say-question.ts';
import type { Anchors } from '../features/state.ts';
import { isThere } from '../graph/as-of/rows.ts';
import type { Tables } from '../graph/tables.ts';
import type { Condition } from '../tasks/condition.ts';
import { openOutside } from '../tasks/population.ts';
import { writeCondition } from '../tasks/write-query.ts';
import type { Version } from '../version/version.ts';

/** A condition in words of each language. */
export type SaidAbout = ReturnType<typeof sayPopulation>;

/** What a row does not meet, as JSON of answers has it. */
export type OutsideTold = { readonly condition: string; readonly said: SaidAbout };

export type Outside = {
  /**
   * Per row, the parts of the condition on whom the question is about that it does not meet, as a query writes them;
   * null where it meets them all, is not in the data by then, or nothing can be said.
   */
  textsOf(anchors: Anchors): (string | null)[];
  /** A text of these in the words of the question. */
  sayText(text: string): SaidAbout;
};

/** Prepares to tell what rows do not meet of the condition on whom the question is about. */
export function openOutsideTexts({ task, contract, fresh }: Version, tables: Tables): Outside {
  const open = openOutside(task, tables, fresh);
  const conditions = new Map<string, Condition>();
  const textOf = (condition: Condition) => {
    const text = writeCondition(condition);
    conditions.set(text, condition);
    return text;
  };
  return {
    textsOf({ table, rows, at, readableUntil }) {
      const unmetAt = open(table);
      return Array.from(rows, (row, r) => {
        if (!unmetAt || !(fresh || isThere(table, row, readableUntil[r]))) return null;
        const unmet = unmetAt(row, at[r]);
        if (unmet.length === 0) return null;
        return textOf(unmet.length === 1 ? unmet[0] : { kind: 'and', of: unmet });
      });
    },
    sayText: (text) => sayPopulation(task, contract, conditions.get(text)!),
  };
}
