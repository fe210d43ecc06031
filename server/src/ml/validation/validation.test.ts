import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, day, draws, type Row, sampleContract, sampleTables } from '../../../tests/samples.ts';
import { openVersion } from '../inference/predict.ts';
import { largestDistance } from '../statistics/distributions.ts';
import { pickExamples } from '../tasks/examples.ts';
import { outputsOfTarget } from '../tasks/labels.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { resolveTask } from '../tasks/resolve.ts';
import { fit } from '../training/fit.ts';
import { measureShadow, tellShadow, withShadowNow } from './by-shadow.ts';
import { type CheckName, checkRules, judgeCheck, type Measurement } from './checks.ts';
import { farMoved, migrationOf, stabilityIndex, stabilityIndexBeside } from './distribution.ts';
import { predictUnflattered } from './judged-rows.ts';
import { validateVersion } from './validate.ts';
import { verdictOf } from './verdict.ts';

const numbers = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 });

describe('distributions', () => {
  test('the stability index is that of a hand', () => {
    const earlier = Float64Array.from({ length: 100 }, (_, i) => i);
    // Half of the values in the first tenth, half in the last, none in the eight between; each counts half a row more.
    const now = Float64Array.from({ length: 100 }, (_, i) => (i < 50 ? 0 : 99));
    const [many, none] = [50.5 / 105, 0.5 / 105];
    const byHand = 2 * (many - 0.1) * Math.log(many / 0.1) + 8 * (none - 0.1) * Math.log(none / 0.1);
    expect(stabilityIndex(earlier, now)).toBeCloseTo(byHand, 12);
    expect(stabilityIndex(earlier, earlier)).toBe(0);
  });

  test('beside another measure, only what moves without it counts', () => {
    const random = draws(5);
    const drawn = (rows: number, shift: number, own = 0) => {
      const other = Float64Array.from({ length: rows }, () => random.next() + shift * random.next());
      return [other.map((value) => value + own + 0.1 * random.next()), other] as const;
    };
    const earlier = drawn(4_000, 0);
    const [together, alone] = [drawn(4_000, 1), drawn(4_000, 0, 0.5)];
    expect(stabilityIndex(earlier[0], together[0])).toBeGreaterThan(0.25);
    expect(stabilityIndexBeside(earlier, together)).toBeLessThan(0.2);
    expect(stabilityIndexBeside(earlier, alone)).toBeGreaterThan(0.5);
    // With nothing moved it is the plain index.
    expect(stabilityIndexBeside(earlier, earlier)).toBeCloseTo(0, 9);
  });

  test('the largest distance is that of counting at every value', () => {
    const share = (values: readonly number[], up: number) => values.filter((one) => one <= up).length / values.length;
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const counted = Math.max(...[...a, ...b].map((up) => Math.abs(share(a, up) - share(b, up))));
        expect(largestDistance(Float64Array.from(a), Float64Array.from(b))).toBeCloseTo(counted, 12);
      }),
    );
  });

  test('entities that move more than one band are counted, and those that move one are not', () => {
    const bands = { names: ['a', 'b', 'c'], of: (value: number) => value };
    const counts = migrationOf(bands, Float64Array.of(0, 0, 1, 2), Float64Array.of(0, 2, 2, 2));
    expect(counts).toEqual([
      [1, 0, 1],
      [0, 0, 1],
      [0, 0, 1],
    ]);
    expect(farMoved(counts)).toBe(1 / 4);
  });
});

const measured = (name: CheckName, value: number | null, more: Partial<Measurement> = {}): Measurement => ({
  ...{ name, value, low: null, high: null, before: null, borne_out: false, why: null },
  ...more,
});
const judge = (...[name, value, more]: Parameters<typeof measured>) =>
  judgeCheck(measured(name, value, more), checkRules[name].threshold);

describe('checks', () => {
  test('a loss fails only where its interval leaves no doubt', () => {
    expect(judge('discrimination', -0.03, { low: -0.05, high: -0.01 }).status).toBe('failed');
    expect(judge('discrimination', -0.03, { low: -0.07, high: 0.01 }).status).toBe('cannot_tell');
    expect(judge('discrimination', -0.005, { low: -0.008, high: -0.002 }).status).toBe('passed');
    expect(judge('discrimination', null, { why: 'only 3 labelled rows flatter neither version' })).toMatchObject({
      status: 'cannot_tell',
      message: expect.stringContaining('only 3 labelled rows'),
    });
  });

  test('a level fails either way, and not where the version before is as far off', () => {
    expect(judge('calibration_level', 0.5, { low: 0.4, high: 0.6 }).status).toBe('failed');
    expect(judge('calibration_level', 2, { low: 1.7, high: 2.4 }).status).toBe('failed');
    expect(judge('calibration_level', 1.2, { low: 1.1, high: 1.3 }).status).toBe('passed');
    expect(judge('calibration_level', 1.4, { low: 1.1, high: 1.7 }).status, 'not for certain').toBe('cannot_tell');
    expect(judge('calibration_level', 2, { low: 1.7, high: 2.4, before: 1.9 }).status).toBe('passed');
    expect(judge('calibration_level', 2, { low: 1.7, high: 2.4, before: 0.5 }).status, 'another fault').toBe('failed');
  });

  test('what moves is let through where later labels bear it out', () => {
    expect(judge('distribution', 0.9).status).toBe('failed');
    expect(judge('distribution', 0.9, { borne_out: true })).toMatchObject({
      status: 'passed',
      message: expect.stringContaining('bear it out'),
    });
    // Or where both differ as much on rows of which labels tell.
    expect(judge('distribution', 0.9, { before: 0.8 }).status).toBe('passed');
    expect(judge('distribution', 0.9, { before: 0.3 }).status).toBe('failed');
  });

  test('what was answered in the shadow is told from 200 questions on, by what differs and what is refused', () => {
    const before = Array.from({ length: 400 }, (_, at) => at / 400);
    const traffic = (after: (value: number) => number, refused = 0, rows = 400) => ({
      ...{ before: before.slice(0, rows), after: before.slice(0, rows).map(after) },
      ...{ refused, from: '2026-01-01', until: '2026-01-02' },
    });
    const statuses = (...[given, byLabels = {}]: [Parameters<typeof tellShadow>[0], object?]) =>
      measureShadow(tellShadow(given, false), { before: null, borne_out: false, ...byLabels }).map((one) => ({
        ...{ name: one.name, value: one.value, status: judgeCheck(one, checkRules[one.name].threshold).status },
      }));
    const same = (value: number) => value;
    const [refusals, distribution] = ['shadow_refusals', 'shadow_distribution'];
    expect(statuses(null)).toEqual([
      { name: refusals, value: null, status: 'cannot_tell' },
      { name: distribution, value: null, status: 'cannot_tell' },
    ]);
    expect(statuses(traffic(same, 0, 199)).map(({ status }) => status)).toEqual(['cannot_tell', 'cannot_tell']);
    expect(statuses(traffic(same, 4))).toEqual([
      { name: refusals, value: 4 / 404, status: 'passed' },
      { name: distribution, value: 0, status: 'passed' },
    ]);
    expect(statuses(traffic(same, 300, 0)), 'one that refuses all has no answers').toEqual([
      { name: refusals, value: 1, status: 'failed' },
      { name: distribution, value: null, status: 'cannot_tell' },
    ]);
    const halved = traffic((value) => value / 2);
    expect(statuses(halved)[1]).toMatchObject({ status: 'failed' });
    expect(statuses(halved, { borne_out: true })[1]).toMatchObject({ status: 'passed' });
    expect(tellShadow(halved, false)).toMatchObject({ answered: 400, rank_correlation: 1 });
    // In a report that is kept, what labels said of the difference holds for the shadow of now.
    const kept = judgeCheck(measured('distribution', 0.9, { borne_out: true }), 0.25);
    expect(withShadowNow([kept], halved).map(({ name, status }) => [name, status])).toEqual([
      ['distribution', 'passed'],
      [refusals, 'passed'],
      [distribution, 'passed'],
    ]);
  });

  test('what is broken is said before what is only different, and too few rows are no verdict', () => {
    const better = judge('discrimination', 0.1, { low: 0.08, high: 0.12 });
    expect(verdictOf([better]).verdict).toBe('better');
    expect(verdictOf([better, judge('replay', 0.2)]).verdict).toBe('broken');
    expect(verdictOf([better, judge('hindsight', 0.01)]).verdict).toBe('broken');
    expect(verdictOf([better, judge('population', 2)]).verdict).toBe('broken');
    expect(verdictOf([better, judge('population', 2), judge('replay', 1)]).verdict).toBe('drifted');
    const equal = judge('discrimination', 0, { low: -0.01, high: 0.01 });
    expect(verdictOf([equal]).verdict).toBe('equal');
    expect(verdictOf([equal, judge('population', 2)]).verdict).toBe('drifted');
    const scaled = judge('calibration_level', 0.4, { low: 0.3, high: 0.5 });
    expect(verdictOf([equal, scaled]).verdict).toBe('misscaled');
    const worse = judge('discrimination', -0.05, { low: -0.08, high: -0.02 });
    const grossly = judge('calibration_level', 0.4, { low: 0.35, high: 0.45 });
    expect(verdictOf([worse, grossly]).verdict).toBe('misscaled');
    const slightly = judge('calibration_level', 0.6, { low: 0.55, high: 0.65 });
    expect(slightly.status).toBe('failed');
    expect(verdictOf([worse, slightly]).verdict, 'off by less than twice').toBe('worse');
    expect(verdictOf([judge('discrimination', null)]).verdict).toBe('cannot_tell');
    expect(verdictOf([judge('discrimination', -0.02, { low: -0.09, high: 0.05 })]).verdict).toBe('cannot_tell');
  });
});

// Clients who fall behind when they are weak. A note about them is written only when they have fallen behind.
const folder = mkdtempSync(join(tmpdir(), 'lastro-validation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const contract = sampleContract([
  {
    name: 'client',
    key: 'client_id',
    time: 'since',
    columns: { client_id: 'integer', since: 'date', size: 'number', note: 'string' },
  },
  {
    name: 'visit',
    time: 'visited',
    references: { client_id: 'client' },
    columns: { client_id: 'integer', visited: 'date', mood: 'number' },
  },
  {
    name: 'arrears',
    time: 'fell',
    references: { client_id: 'client' },
    columns: { client_id: 'integer', fell: 'date' },
  },
]);
const [clients, months, start] = [320, 16, at('2023-01-01')];
const end = start + months * 30 * day;
const champions = start + 10 * 30 * day;
const draw = draws(11);
const client = Array.from({ length: clients }, (_, client_id) => ({
  client_id,
  since: start - day,
  size: draw.next(),
}));
const usual = client.map(() => draw.next());
const visit: Row[] = [];
const arrears: { client_id: number; fell: number }[] = [];
for (let month = 0; month < months; month++)
  for (const { client_id } of client) {
    const mood = 0.8 * usual[client_id] + 0.2 * draw.next();
    visit.push({ client_id, visited: start + month * 30 * day, mood });
    if (draw.next() < 0.01 + 0.6 * mood ** 4)
      arrears.push({ client_id, fell: start + (month * 30 + 2 + (client_id % 25)) * day });
  }
const tablesAt = (
  moment: number,
  isKept: (row: Row) => boolean = () => true,
  changed: (row: Row) => Row = (row) => row,
) => {
  const noted = new Set(arrears.filter(({ fell }) => fell <= moment).map(({ client_id }) => client_id));
  const note = ({ client_id }: { client_id: number }) => (noted.has(client_id) ? 'called' : null);
  return sampleTables(contract, {
    client: client.filter(isKept).map((row) => ({ ...row, note: note(row) })),
    visit: visit.filter((row) => Number(row.visited) <= moment && isKept(row)).map(changed),
    arrears: arrears.filter((row) => row.fell <= moment && isKept(row)),
  });
};
/** Clients whose labels are too few to judge by. */
const few = (row: Row) => Number(row.client_id) < 30;
const definition = `PREDICT exists(arrears) WITHIN 30d FOR client EVERY 30d`;
const [now, then] = [tablesAt(end), tablesAt(champions)];

async function learn(
  name: string,
  tables: typeof now,
  more: { hide?: string[]; ignore?: string[] },
  isDrawn = (_label: number, _place: number) => true,
) {
  const parsed = parseTask(definition, 'falls', 'task.yaml');
  const task = resolveTask({ ...parsed, hide: more.hide ?? [], ignore: more.ignore ?? [] }, contract, 'task.yaml');
  const outputs = outputsOfTarget(task, tables, Number.POSITIVE_INFINITY).outputs.map((output) => {
    const { labels } = output.examples;
    const drawn = Array.from(labels.keys()).filter((place) => isDrawn(labels[place], place));
    return { ...output, examples: pickExamples(output.examples, drawn) };
  });
  await fit({ tables, contract, task, outputs, regime: { kind: 'rolling' } }, join(folder, name), () => {});
}

const hide = ['client.note'];
const ask = async (
  model: string,
  compareWith: string,
  { tables = now, earlier = then, since = champions, segments = [] as string[], until = end } = {},
) => {
  const open = (name: string, on: typeof now) => openVersion(join(folder, name), on);
  return validateVersion({
    shadow: null,
    ...{ model: await open(model, tables), compareWith: await open(compareWith, tables), tables, labelFiles: [] },
    earlier: {
      ...{ model: await open(model, earlier), compareWith: await open(compareWith, earlier), tables: earlier },
      until: since,
    },
    ...{ segments, warnings: [], until },
  });
};

describe('a version beside the one before', () => {
  beforeAll(async () => {
    await learn('champion', then, { hide });
    await learn('again', now, { hide });
    await learn('blind', now, { hide, ignore: ['visit'] });
    await learn('leaking', now, {});
    await learn('drawn', now, { hide }, (label, place) => label === 1 || place % 4 === 0);
  });

  test('only rows that flatter neither are judged: later ones, and those that folds had held out', async () => {
    const [model, champion] = [
      await openVersion(join(folder, 'again'), now),
      await openVersion(join(folder, 'champion'), now),
    ];
    const { outputs } = outputsOfTarget(model.version.task, now, end);
    const { examples } = outputs[0];
    const [own, before] = [model, champion].map((opened) => predictUnflattered(opened, 0, examples, end));
    const newest = champion.version.newestLabel!;
    for (const [i, moment] of examples.at.entries()) {
      expect(own.sources[i], 'the newer one has learned from all').not.toBe('later');
      expect(before.sources[i] === 'later').toBe(moment > newest);
    }
    // What folds predicted is kept as it was, and is not what the model that has learned from the row says.
    const held = model.heldOut![0];
    const kept = new Map(
      Array.from(held.places, (place, k) => [`${model.labels.rows[place]} ${model.labels.at[place]}`, held.values[k]]),
    );
    const row = own.sources.indexOf('held_out');
    expect(own.values[row]).toBe(kept.get(`${examples.rows[row]} ${examples.at[row]}`));
    const counts = (sources: readonly (string | null)[]) => sources.filter((source) => source === 'held_out').length;
    expect(counts(own.sources)).toBe(kept.size);
    expect(counts(own.sources)).toBeGreaterThan(clients);
  });

  test('one that has learned the same from newer data is as good, and is told by months and segments', async () => {
    const report = await ask('again', 'champion', { segments: ['note'] });
    const required = report.checks.filter(({ name }) => checkRules[name].required);
    expect(required.filter(({ status }) => status === 'failed').map(({ message }) => message)).toEqual([]);
    expect(['equal', 'better']).toContain(report.verdict);
    expect(report.judged.model.later).toBe(0);
    expect(report.judged.compare_with!.later).toBe(report.judged.rows);
    expect(report.months.reduce((sum, { rows }) => sum + rows, 0)).toBe(report.judged.rows);
    expect(report.segments[0].values.map(({ name }) => name).sort()).toEqual(['called', null]);
    expect(report.present!.migration!.flat().reduce((a, b) => a + b)).toBe(clients);
    expect(report.replay!.model).toBeCloseTo(1, 9);
  });

  test('a segment that is no column is refused with those that there are', async () => {
    await expect(ask('again', 'champion', { segments: ['colour'] })).rejects.toThrow(
      /^segment colour is no column of client, which has client_id, .*note$/,
    );
  });

  test('with too few labels nothing is said by them, nor of what moved since', async () => {
    const { judged, checks } = await ask('again', 'champion', { tables: tablesAt(start + 100 * day, few) });
    expect(judged.rows).toBeLessThan(100);
    const unsure = checks.filter(({ status }) => status === 'cannot_tell').map(({ name }) => name);
    expect(unsure).toEqual(expect.arrayContaining(['discrimination', 'population', 'missing_inputs', 'hindsight']));
  });

  test('one that lacks what tells is worse', async () => {
    const report = await ask('blind', 'champion');
    expect(report.verdict, report.reason).toBe('worse');
    expect(report.checks.find(({ name }) => name === 'discrimination')).toMatchObject({ status: 'failed' });
  });

  test('one that reads what was written afterwards looks better, and is broken', async () => {
    const report = await ask('leaking', 'champion');
    const of = (name: CheckName) => report.checks.find((check) => check.name === name)!;
    expect(of('discrimination').low).toBeGreaterThan(0);
    expect(of('replay')).toMatchObject({ status: 'failed', message: expect.stringContaining('knownFrom') });
    expect(report.verdict).toBe('broken');
  });

  test('what was written of outcomes that came since then is told by what it gains', async () => {
    // When few had been written about yet.
    const [before, until] = [start + 60 * day, start + 105 * day];
    const since = { earlier: tablesAt(before), since: before, tables: tablesAt(until), until };
    const hindsightOf = async (model: string) => {
      const { checks, replay } = await ask(model, 'champion', since);
      return { ...checks.find(({ name }) => name === 'hindsight')!, rows: replay!.hindsight!.rows };
    };
    expect(await hindsightOf('leaking')).toMatchObject({
      ...{ status: 'failed', before: 0, message: expect.stringContaining('knownFrom') },
    });
    // The same bits, as nothing that it reads has changed.
    expect(await hindsightOf('again')).toMatchObject({ status: 'passed', value: 0 });
  });

  test('one that has learned from labels that were drawn by what came is told by its chances, and not by its ranks', async () => {
    const report = await ask('drawn', 'champion');
    const of = (name: CheckName) => report.checks.find((check) => check.name === name)!;
    expect(report.judged.model.unlearned).toBeGreaterThan(100);
    expect(of('discrimination').status, of('discrimination').message).toBe('passed');
    expect(of('calibration_level')).toMatchObject({ status: 'failed' });
    expect(report.verdict, report.reason).toBe('misscaled');
  });

  test('what is missing of late is told once of each column, however many features read it', async () => {
    const late = end - 60 * day;
    const silent = (row: Row) => (Number(row.visited) > late ? { ...row, mood: null } : row);
    const report = await ask('again', 'champion', { tables: tablesAt(end, undefined, silent) });
    expect(report.checks.find(({ name }) => name === 'missing_inputs')!.value).toBeGreaterThan(0.1);
    const places = report.missing.map(({ at }) => at);
    expect(places).toContain('visit.mood');
    expect(new Set(places).size).toBe(places.length);
    for (const { importance, judged, present } of report.missing) {
      expect(importance).toBeLessThanOrEqual(1);
      expect(present).toBeGreaterThan(judged);
    }
  });

  test('one whose inputs come in another unit of late has drifted', async () => {
    const late = end - 60 * day;
    const inHundredths = (row: Row) => (Number(row.visited) > late ? { ...row, mood: Number(row.mood) * 100 } : row);
    const changed = tablesAt(end, undefined, inHundredths);
    const report = await ask('again', 'blind', { tables: changed });
    expect(['drifted', 'broken']).toContain(report.verdict);
    expect(report.checks.find(({ name }) => name === 'population')).toMatchObject({ status: 'failed' });
  });
});
