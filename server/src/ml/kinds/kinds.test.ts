/** Tests for every kind in the list `kinds`; a new kind is tested as soon as it is added. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { at, sampleTables } from '../../../tests/samples.ts';
import { sellerContract, sellerData } from '../../../tests/support/samples/answers.ts';
import { type Column, sameText } from '../../lib/files/column.ts';
import { answerColumns, outputFields } from '../answers/answers.ts';
import { intervalsOf } from '../answers/intervals.ts';
import { fitCohort } from '../calibration/cohort.ts';
import { fitInterval } from '../calibration/interval.ts';
import { keyValue } from '../graph/keys.ts';
import { type Objective, widthOf } from '../statistics/objective.ts';
import { type LabelledOutput, outputsOfTarget } from '../tasks/labels.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { resolveTask } from '../tasks/resolve.ts';
import type { Task } from '../tasks/task.ts';
import { headRulesOf, kinds } from './kinds.ts';

const tables = sampleTables(sellerContract, sellerData());
const now = at('2025-01-01');

/** A definition as a task over the seller's tables; fails when part of the definition is not read. */
function taskOf(definition: string, name: string): Task {
  const task = resolveTask(parseTask(definition, name, 'task.yaml'), sellerContract, 'task.yaml');
  return task;
}

describe.each(kinds.map((kind) => [kind.name, kind] as const))('%s', (name, { example, metrics, score }) => {
  const task = taskOf(example, name);
  const { outputs: labelled } = outputsOfTarget(task, tables, now);
  const outputs = labelled.map((output) => ({ ...output, cohort: fitCohort(cohortOf(output)) }));

  test('has an example with everything it learns, of which the tables know the answer', () => {
    expect(task.kind).toBe(name);
    expect(task.heads?.map((head) => head.name) ?? []).toEqual(headRulesOf(name).map((head) => head.name));
    for (const { examples } of labelled) {
      const known = examples.labels.filter((label) => !Number.isNaN(label));
      expect(new Set(known).size).toBeGreaterThan(1);
    }
  });

  test('answers every field as it is declared', () => {
    const rows = 40;
    const values = outputs.map(({ objective }, o) => answersLike(objective, rows, o));
    const network = () => ({
      flags: () => Array.from({ length: rows }, () => []),
      warmPaths: () => new Float64Array(rows).fill(2),
    });
    const given = { rows, values, told: sameText(rows, '["a reason"]'), network };
    const columns = answerColumns(task, outputs, given);
    const declared = outputFields(task, outputs);
    expect(declared.map((field) => field.name)).toEqual([...columns.keys(), ...common]);
    for (const { name: field, type, minimum = -Infinity, maximum = Infinity, ...rest } of declared) {
      const answered = columns.has(field) ? valuesOf(columns.get(field)!, rows) : [];
      for (const value of [rest.example, ...answered]) {
        expect([field, typeof value]).toEqual([field, type === 'number' || type === 'integer' ? 'number' : 'string']);
        if (rest.format === 'json') expect(JSON.parse(String(value))).toBeInstanceOf(Array);
        if (rest.enum) expect(rest.enum).toContain(value);
        if (typeof value === 'number') expect([field, value >= minimum && value <= maximum]).toEqual([field, true]);
        if (type === 'integer') expect(Number.isInteger(value)).toBe(true);
      }
    }
  });

  test('says how sure it is of each number that it learns, once', () => {
    const margins = Float64Array.from({ length: 400 }, (_, row) => (row % 40) / 10 - 2);
    const unseen = {
      margins,
      predictions: margins.map((m) => 1 / (1 + Math.exp(-m))),
      until: margins.map((_, k) => k),
    };
    const labels = margins.map((margin, row) => Number(margin + Math.sin(row) > 0));
    const sure = outputs.map(({ name: output, objective }) => ({
      name: output,
      range: [0, 1] as const,
      limits: [0, 1] as const,
      interval: fitInterval(objective.kind, { ...unseen, labels }),
    }));
    const all = outputs.map(() => margins);
    const [told] = intervalsOf(
      task,
      sure,
      all,
      outputs.map(() => unseen.predictions),
      1,
    );
    const numbers = outputs.filter(({ objective }) => objective.kind !== 'multiclass').length;
    expect(Object.keys(told!)).toHaveLength(numbers + Number(score !== undefined));
    for (const { lower, upper } of Object.values(told!)) expect(lower).toBeLessThanOrEqual(upper);
  });

  test('may be evaluated by each of its metrics, and by the first where nothing is said', () => {
    const about = `kind: ${name}\nentity: customer\nkey: customer_id\nlabel: answer\nwindow: 30d\n`;
    expect(taskOf(about, name).metric).toBe(metrics[0]);
    for (const metric of metrics) expect(taskOf(`${about}metric: ${metric}\n`, name).metric).toBe(metric);
  });

  test('stands in the manual with its heads and fields', () => {
    const row = new RegExp(`^\\|[^|]*\`${name}\`[^|]*\\| (.*?) \\| (.*?) \\|$`, 'm').exec(manual);
    const [, heads, fields] = row ?? [];
    const told = [...(heads ?? '').matchAll(/(\*\*)?`(\w+)`/g)].map(([, bold, head]) => [head, bold !== undefined]);
    expect(told, 'the row in docs/kinds-of-prediction.md').toEqual(
      headRulesOf(name).map((head) => [head.name, head.required]),
    );
    const named = [...(fields ?? '').matchAll(/`([\w<>]+)`/g)].map(([, field]) => plain(field!));
    const own = outputFields(task, outputs).slice(0, -common.length);
    expect(new Set(named)).toEqual(new Set(own.map((field) => plain(field.name))));
  });
});

test('the definitions in the manual can be asked', () => {
  const blocks = [...manual.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block]) => block!);
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) {
    const task = taskOf(block, 'manual');
    expect(task.heads?.map(({ name }) => name) ?? []).toEqual(headRulesOf(task.kind).map(({ name }) => name));
  }
});

/** Fields at the end of every answer. */
const common = ['data_coverage', 'data_coverage_share', 'as_of'];

const manual = readFileSync(join(import.meta.dirname, '../../../../docs/kinds-of-prediction.md'), 'utf8');

/** A field name without the parts that differ between tasks: the days it looks ahead and the class it is about. */
const plain = (field: string) => field.replace(/_\d+d$/, '').replace(/^probability_.*/, 'probability_<class>');

function cohortOf({ objective, examples: { labels } }: LabelledOutput): ArrayLike<number> {
  return objective.kind === 'regression' ? labels.filter((label) => !Number.isNaN(label)) : [0.1, 0.5, 0.9];
}

/** Answers of an output, different from row to row. */
function answersLike(objective: Objective, rows: number, shift: number): Float64Array {
  const width = widthOf(objective);
  const values = Float64Array.from({ length: rows * width }, (_, k) => (((k + shift) * 7) % 19) / 20);
  return objective.kind === 'regression' ? values.map((value) => 1000 * value) : values;
}

const valuesOf = (column: Column, rows: number) => Array.from({ length: rows }, (_, row) => keyValue(column, row));
