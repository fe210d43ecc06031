/**
 * This test computes every feature a second time, by plain loops over the raw rows, from the definitions alone: what
 * was known at `readableUntil`, in order of time. The index, blocks, cursors and caches of the engine must not change a
 * value.
 *
 * The definitions are in files beside this one, each built on those before it: `world` (what was known), `history` (the
 * events of a row), `signals` (the value an event gives), `subjects` (the rows a feature describes), `read-events` and
 * `answer` (the value of the feature). `samples` generates the tables; `features` and `questions` hold the features and
 * the anchors.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleTables } from '../../../tests/samples.ts';
import { answer } from '../../../tests/support/brute-force/answer.ts';
import {
  comparisonsOf,
  customerFeatures,
  on,
  paymentFeatures,
  root,
} from '../../../tests/support/brute-force/features.ts';
import type { Answer } from '../../../tests/support/brute-force/numbers.ts';
import { type Asked, askCustomers, askPayments } from '../../../tests/support/brute-force/questions.ts';
import { makeWorld, type Shape, shapes } from '../../../tests/support/brute-force/samples.ts';
import type { World } from '../../../tests/support/brute-force/world.ts';
import type { Table, Tables } from '../graph/tables.ts';
import { evaluate, openProgram } from './evaluate.ts';
import type { Feature } from './feature.ts';
import { openGraph } from './graph.ts';
import type { Anchors } from './state.ts';

test('every feature of an entity is what its rows say by definition', () => {
  inWorlds({ numRuns: 20, seed: 1 }, (world, shape, tables) => {
    expectByDefinition(world, tables, ofCustomers(world, shape, tables));
  });
});

test('every feature of a new row is what the rows before it say by definition', () => {
  inWorlds({ numRuns: 20, seed: 1 }, (world, shape, tables) => {
    expectByDefinition(world, tables, ofPayments(world, shape, tables));
  });
});

test('many rows at once and each alone give the same bits', () => {
  inWorlds({ numRuns: 10, seed: 2 }, (world, shape, tables) => {
    expectSameAlone(tables, ofCustomers(world, shape, tables));
    expectSameAlone(tables, ofPayments(world, shape, tables));
  });
});

test('a new row outside of the tables is compared by its own values, to the bits of the same row inside', () => {
  inWorlds({ numRuns: 10, seed: 3 }, (world, shape, tables) => {
    const features = on(root, comparisonsOf('account_id'), comparisonsOf('merchant_id'));
    const questions = ofPayments(world, shape, tables);
    if (questions.asked.length === 0) return;
    const anchors = anchorsOf(questions);
    const outside = { ...anchors, table: withOwnDictionaries(questions.table) };
    const found = [anchors, outside].map((each) => bits(evaluate(openGraph(tables), features, each).values));
    expect(found[1]).toBe(found[0]);
  });
});

type Check = (world: World, shape: Shape, tables: Tables) => void;

function inWorlds(runs: { readonly numRuns: number; readonly seed: number }, check: Check): void {
  const property = fc.property(shapes, (shape) => {
    const world = makeWorld(shape);
    check(world, shape, sampleTables(world.contract, world.data));
  });
  fc.assert(property, runs);
}

/** Features, and the rows of a table that they are evaluated for. */
type Questions = {
  readonly features: readonly Feature[];
  readonly table: Table;
  readonly asked: readonly Asked[];
  readonly fresh: boolean;
};

function ofCustomers(world: World, shape: Shape, tables: Tables): Questions {
  const asked = askCustomers(world, shape, tables);
  return { features: customerFeatures(!shape.versioned), table: tables.get('customer')!, asked, fresh: false };
}

function ofPayments(world: World, shape: Shape, tables: Tables): Questions {
  const asked = askPayments(world, shape, tables);
  return { features: paymentFeatures(!shape.versioned), table: tables.get('payment')!, asked, fresh: true };
}

/** The same rows as a separate file would bring them: texts are coded in another order, among values never seen. */
function withOwnDictionaries(table: Table): Table {
  const columns = new Map(table.columns);
  for (const [name, column] of columns) {
    if (column.kind !== 'text') continue;
    const dictionary = ['never seen', ...column.dictionary.toReversed()];
    const codes = column.codes.map((code) => (code < 0 ? code : column.dictionary.length - code));
    columns.set(name, { ...column, dictionary, codes });
  }
  return { ...table, columns };
}

function expectByDefinition(world: World, tables: Tables, questions: Questions): void {
  const { features, asked } = questions;
  if (asked.length === 0) return;
  const matrix = evaluate(openGraph(tables), features, anchorsOf(questions));
  const wrong: unknown[] = [];
  features.forEach((feature, f) => {
    asked.forEach(({ root: subject, question }, i) => {
      const expected = answer(world, feature, subject, question);
      const found = matrix.values[f * matrix.rows + i];
      if (!agrees(found, expected))
        wrong.push({ feature: JSON.stringify(feature), found, expected, subject, question });
    });
  });
  expect(wrong.slice(0, 3)).toEqual([]);
}

/** Each question evaluated alone by a new program must give the same bits as all questions evaluated together. */
function expectSameAlone(tables: Tables, questions: Questions): void {
  const { features, asked } = questions;
  if (asked.length === 0) return;
  const program = openProgram(openGraph(tables), features);
  const together = program(anchorsOf(questions));
  asked.forEach((one, i) => {
    const anchors = anchorsOf({ ...questions, asked: [one] });
    const alone = evaluate(openGraph(tables), features, anchors);
    const column = Float32Array.from(features, (_, f) => together.values[f * together.rows + i]);
    expect(bits(alone.values)).toEqual(bits(column));
    expect(bits(program(anchors).values)).toEqual(bits(column));
  });
}

const relative = 1e-9;
const ofScale = 1e-12;

/** Whether a float32 is the rounded exact answer, within 1e-9 of the answer and 1e-12 of its scale before rounding. */
function agrees(found: number, { value, scale }: Answer): boolean {
  if (Number.isNaN(value) || Number.isNaN(found)) return Number.isNaN(value) && Number.isNaN(found);
  const slack = Math.abs(value) * relative + scale * ofScale;
  return Math.fround(value - slack) <= found && found <= Math.fround(value + slack);
}

function anchorsOf({ table, asked, fresh }: Questions): Anchors {
  return {
    table,
    fresh,
    rows: Int32Array.from(asked, ({ row }) => row),
    own: Int32Array.from(asked, ({ row }) => (fresh ? row : -1)),
    ownTable: table.name,
    at: Float64Array.from(asked, ({ question }) => question.at),
    readableUntil: Float64Array.from(asked, ({ question }) => question.readableUntil),
  };
}

function bits(values: Float32Array): string {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('hex');
}
