/**
 * Outcomes: columns of the row asked about whose earlier values are read. The row's own value moves no bit of any
 * feature or prediction, by whatever way it might be reached; values of other rows do, and help.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { anchorsOf, isFresh, readableUntilAt, withLabels } from '../../src/ml/features/anchors.ts';
import { evaluate } from '../../src/ml/features/evaluate.ts';
import type { Feature } from '../../src/ml/features/feature.ts';
import { proposeFeatures } from '../../src/ml/features/proposals/propose-features.ts';
import { openVersion } from '../../src/ml/inference/predict.ts';
import { type Examples, pickExamples } from '../../src/ml/tasks/examples.ts';
import { objectiveOf } from '../../src/ml/tasks/labels.ts';
import { parseTask } from '../../src/ml/tasks/parse-task.ts';
import { resolveTask } from '../../src/ml/tasks/resolve.ts';
import type { Task } from '../../src/ml/tasks/task.ts';
import { fit } from '../../src/ml/training/fit.ts';
import { readVersion } from '../../src/ml/version/version.ts';
import { at, type Data, day, draws, type Row, sampleContract, sampleRows, sampleTables } from '../samples.ts';
import { moved } from './features.ts';

const folder = mkdtempSync(join(tmpdir(), 'lastro-outcome-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const contract = sampleContract([
  { name: 'person', key: 'person_id', columns: { person_id: 'integer', region: 'string' } },
  { name: 'film', key: 'film_id', columns: { film_id: 'integer', length: 'number' } },
  {
    name: 'rating',
    key: 'rating_id',
    time: 'rated',
    // `answers` leads to another rating, for some rows to itself.
    references: { person_id: 'person', film_id: 'film', answers: 'rating' },
    columns: {
      ...{ rating_id: 'integer', person_id: 'integer', film_id: 'integer', answers: 'integer', rated: 'timestamp' },
      ...{ stars: 'number', verdict: 'string', review: 'string', device: 'string', settled: 'date' },
    },
  },
  {
    name: 'reply',
    key: 'reply_id',
    time: 'sent',
    references: { rating_id: 'rating', person_id: 'person' },
    columns: { reply_id: 'integer', rating_id: 'integer', person_id: 'integer', sent: 'timestamp', length: 'number' },
  },
  {
    name: 'tag',
    key: 'tag_id',
    references: { rating_id: 'rating' },
    columns: { tag_id: 'integer', rating_id: 'integer', weight: 'number' },
  },
]);

const outcomes = ['stars', 'verdict', 'review', 'settled'];
const [people, films, ratings] = [30, 20, 720];
const start = at('2023-01-01');
const draw = draws(11);
const lenience = Array.from({ length: people }, () => draw.between(-1.5, 1.5));
const quality = Array.from({ length: films }, () => draw.between(-1, 1));

/** Ratings come in sixes at one moment, as at an evening of a film club. */
function ratingOf(i: number): Row {
  const [person, film] = [i % people, Math.floor(draw.between(0, films))];
  const stars = Number((3 + lenience[person]! + quality[film]! + draw.between(-0.5, 0.5)).toFixed(2));
  const rated = start + Math.floor(i / 6) * day + 20 * 3_600_000_000;
  return {
    ...{ rating_id: i + 1, person_id: person + 1, film_id: film + 1, answers: i % 3 === 0 ? i + 1 : Math.max(1, i) },
    ...{ rated, device: draw.pick(['phone', 'desk']), ...valuesOf(stars, rated) },
  };
}

/** All that a rating says of how it went. */
function valuesOf(stars: number, rated: number): Row {
  const verdict = stars > 3.5 ? 'loved' : stars > 2.5 ? 'liked' : 'left';
  const review = `${verdict} it for the ${stars > 3 ? 'music and the actors' : 'length and the noise'} of take ${stars}`;
  return { stars, verdict, review, settled: start + Math.floor((rated - start) / day - stars) * day };
}

const rows = Array.from({ length: ratings }, (_, i) => ratingOf(i));
const data: Data = {
  person: lenience.map((_, i) => ({ person_id: i + 1, region: i % 3 === 0 ? 'north' : 'south' })),
  film: quality.map((_, i) => ({ film_id: i + 1, length: 80 + i })),
  rating: rows,
  reply: rows.map(({ rated, rating_id }, i) => ({
    ...{ reply_id: i + 1, rating_id: rating_id!, person_id: 1 + ((i * 7) % people) },
    ...{ sent: rated!, length: draw.between(1, 100) },
  })),
  tag: rows.map(({ rating_id }, i) => ({ tag_id: i + 1, rating_id: rating_id!, weight: draw.between(0, 1) })),
};

/** The data with other outcomes of one rating. */
function changed(row: number): Data {
  const given = rows[row]!;
  const other = valuesOf(Number(given.stars) > 3 ? 0.5 : 5.5, Number(given.rated));
  return { ...data, rating: rows.map((each, i) => (i === row ? { ...each, ...other } : each)) };
}

const definition = 'entity: rating\nkey: rating_id\ntime: rated\nlabel: stars\nkind: regression\nmetric: mae\n';

function taskOf(lines: string): Task {
  return resolveTask(parseTask(`${definition}${lines}`, 'stars', 'task.yaml'), contract, 'task.yaml');
}

/** The ratings asked about `delay` days after they came; their labels close a month later. */
function examplesOf(delay: number): Examples {
  const moments = Float64Array.from(rows, ({ rated }) => Number(rated) + delay * day);
  const labels = Float64Array.from(rows, ({ stars }) => Number(stars));
  return { rows: Int32Array.from(rows.keys()), at: moments, labels, closes: moments.map((each) => each + 30 * day) };
}

/** All features that are proposed, and their values for one of the ratings. */
function openFeatures(task: Task, delay: number) {
  const examples = examplesOf(delay);
  const fresh = isFresh(task, sampleTables(contract, data), examples);
  const until = readableUntilAt(task, Number.POSITIVE_INFINITY);
  const open = (of: Data) => {
    const tables = sampleTables(contract, of);
    return { graph: withLabels(task, tables, examples, fresh, objectiveOf(task, null, [])) };
  };
  const { graph } = open(data);
  const sample = anchorsOf(task, graph.tables, examples, fresh, until);
  const words = () => ['loved', 'music', 'noise'];
  const { features } = proposeFeatures(graph, task, sample, start + 100 * day, words);
  const valuesIn = (of: Data, row: number) => {
    const made = open(of);
    return evaluate(
      made.graph,
      features,
      anchorsOf(task, made.graph.tables, pickExamples(examples, [row]), fresh, until),
    );
  };
  return { fresh, features, valuesIn };
}

function namesOutcome({ read }: Feature): boolean {
  const text = JSON.stringify(read);
  return outcomes.some((name) => text.includes(`"${name}"`));
}

describe.each([
  ['as they come', 0],
  ['two days later, when they are in the tables', 2],
])('of ratings asked about %s', (_when, delay) => {
  const { fresh, features, valuesIn } = openFeatures(taskOf(`outcome: [${outcomes.join(', ')}]\n`), delay);
  const asked = [300, 603, 710];

  test('no feature is moved by the own outcome, and some are by that of an earlier rating of the same person', () => {
    expect(fresh).toBe(delay === 0);
    for (const row of asked) {
      const before = valuesIn(data, row);
      expect(moved(features, before, valuesIn(changed(row), row))).toEqual([]);
      const earlier = moved(features, before, valuesIn(changed(row - people), row));
      expect(earlier.length).toBeGreaterThan(20);
    }
    for (const name of outcomes)
      expect(features.filter((each) => JSON.stringify(each).includes(`"${name}"`))).not.toEqual([]);
  });

  test('ratings of the same moment are read as other rows of that moment are, and with strict are not', () => {
    const [row, beside] = [603, 604];
    const of = openFeatures(taskOf(`strict: true\noutcome: [${outcomes.join(', ')}]\n`), delay);
    const before = of.valuesIn(data, row);
    const strictly = moved(of.features, before, of.valuesIn(changed(beside), row));
    expect(strictly.length > 0).toBe(delay > 0);
    expect(moved(features, valuesIn(data, row), valuesIn(changed(beside), row))).not.toEqual([]);
  });

  test('without the word the own value is read', () => {
    const open = openFeatures(taskOf(''), delay);
    expect(open.features.filter(namesOutcome).length).toBeGreaterThan(features.filter(namesOutcome).length);
    expect(moved(open.features, open.valuesIn(data, 603), open.valuesIn(changed(603), 603))).not.toEqual([]);
  });
});

describe('a model of them', () => {
  const outcome = `outcome: [${outcomes.join(', ')}]\n`;
  const hide = `hide: [${outcomes.map((name) => `rating.${name}`).join(', ')}]\n`;
  const learn = async (name: string, lines: string, delay: number) => {
    const task = taskOf(lines);
    const closes = new Float64Array(ratings).fill(Number.POSITIVE_INFINITY);
    const examples = pickExamples({ ...examplesOf(delay), closes }, learnedFrom);
    const outputs = [{ name: 'prediction', objective: objectiveOf(task, null, []), examples }];
    const tables = sampleTables(contract, data);
    const place = join(folder, name);
    const report = await fit({ tables, contract, task, outputs, regime: { kind: 'rolling' } }, place, () => {});
    return { place, report, error: report.outputs[0]!.out_of_fold!.value };
  };
  /** Every other rating of each person. */
  const learnedFrom = [...rows.keys()].filter((i) => Math.floor(i / people) % 2 === 0);
  const models = new Map<number, ReturnType<typeof learn>>();
  const modelOf = (delay: number) => {
    const model = models.get(delay) ?? learn(`outcome-${delay}`, outcome, delay);
    models.set(delay, model);
    return model;
  };

  test('stops at the leak without the word; with it learns more than with hide, and asks for no outcome', async () => {
    await expect(learn('open', '', 0)).rejects.toMatchObject({ reason: 'leakage_found' });
    const { place, report, error } = await modelOf(0);
    const hidden = await learn('hide', hide, 0);
    expect(report.leakage.filter(({ certain }) => certain)).toEqual([]);
    expect(error).toBeLessThan(0.75 * hidden.error);
    const version = readVersion(place);
    expect(version.inputFields.map(({ name }) => name).filter((name) => outcomes.includes(name))).toEqual([]);
    expect(version.features.some(namesOutcome)).toBe(true);
  });

  test.each([
    ['new', 0],
    ['known', 2],
  ])('predicts for %s ratings the same to the bit whatever their own outcome is', async (_name, delay) => {
    const { place } = await modelOf(delay);
    const answer = async (of: Data, row: number) => {
      const open = await openVersion(place, sampleTables(contract, of));
      const table = contract.tables.find((each) => each.name === 'rating')!;
      const asOf = Number(rows[row]!.rated) + delay * day;
      const { columns } = open.predict(sampleRows(table, [of.rating![row]!]), {
        ...{ asOf, dataUntil: Number.POSITIVE_INFINITY, factors: 3, language: 'en' },
        ...{ interval: true, explanation: true },
      });
      return [...columns].filter(([name]) => !outcomes.includes(name));
    };
    for (const row of [400, 650]) {
      const before = await answer(data, row);
      expect(await answer(changed(row), row)).toEqual(before);
      expect(await answer(changed(row - people), row)).not.toEqual(before);
    }
  });
});

test.each([
  ['outcome: strs', /strs is not a column of rating.*did you mean stars\?/],
  ['outcome: rating.stars', /write the column alone, stars/],
  ['outcome: person_id', /says what row it is and when/],
  ['outcome: rated', /says what row it is and when/],
  ['outcome: stars\nhide: [rating.stars]', /hide and outcome both name rating\.stars/],
  ['outcome: [1]', /outcome: must be a column/],
])('%s is refused', (lines, message) => {
  expect(() => taskOf(`${lines}\n`)).toThrow(message);
});
