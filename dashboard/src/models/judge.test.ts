import { expect, test } from 'vitest';
import { sampleChecked, sampleFigures } from '../../tests/sample-figures.ts';
import { type Checked, type Figures, figuresOf } from './figures.ts';
import {
  fewToMeasure,
  foundOf,
  headlineOf,
  isToldOfChances,
  judge,
  judgeChances,
  rateInterval,
  shiftOf,
  shownBin,
  worstFirst,
} from './judge.ts';

const gained = (low: number | null, high: number | null, more: Partial<Figures> = {}): Figures => ({
  ...sampleFigures,
  naive: { constant: 0.5, gain: { over: 'constant', value: 0.3, low, high } },
  ...more,
});
const chancesOf = (change: Partial<Checked>) =>
  judgeChances({ others: sampleFigures.others, checked: { ...sampleChecked, ...change } });

test('the verdict on an output is that of the interval of its gain, and of few rows there is none', () => {
  expect(judge(gained(0.2, 0.4), null)).toBe('better');
  expect(judge(gained(-0.01, 0.4), null)).toBe('unsure');
  expect(judge(gained(-0.4, -0.2), null)).toBe('worse');
  expect(judge(gained(null, null), null)).toBe('few');
  expect(judge(gained(0.2, 0.4, { rows: 99, positives: 40 }), null)).toBe('few');
  expect(judge(gained(0.2, 0.4, { positives: 9 }), null)).toBe('few');
  expect(judge(gained(0.2, 0.4, { positives: 1_995 }), null), 'the rarer label counts').toBe('few');
  expect(judge(sampleFigures, null), 'of the second output of an evaluation nothing simple is known').toBe(
    'unmeasured',
  );
  expect(judge(gained(0.2, 0.4), 'memory')).toBe('memory');
});

test('what is few is said: the cases, those of which it came, or those of which it did not', () => {
  expect(fewToMeasure({ rows: 84, positives: 3 })).toEqual({ of: 'rows', count: 84, rows: 84, least: 100 });
  expect(fewToMeasure({ rows: 3_849, positives: 7 })).toMatchObject({ of: 'came', count: 7, least: 10 });
  expect(fewToMeasure({ rows: 3_849, positives: 3_849 })).toMatchObject({ of: 'not', count: 0 });
  expect(fewToMeasure({ rows: 3_849, positives: 300 })).toBeNull();
});

test('whether chances are right is judged by what was said, what came and the slope, of enough rows', () => {
  expect(chancesOf({})).toBe('right');
  expect(chancesOf({ said: 0.12 })).toBe('low');
  expect(chancesOf({ said: 0.19 })).toBe('high');
  expect(chancesOf({ slope: 0.75 })).toBe('bold');
  expect(chancesOf({ slope: 1.3 })).toBe('shy');
  expect(chancesOf({ error: 0.05, z: 4 })).toBe('wrong');
  expect(chancesOf({ rows: 600, said: 0.05 }), '90 rows of which it came').toBe('unknown');
  expect(chancesOf({ rows: 600, said: 0.05, error: 0.1, z: -5 }), 'wrong beyond chance all the same').toBe('low');
  expect(judgeChances({ others: sampleFigures.others, checked: null })).toBe('unknown');
  expect(judgeChances({ others: { brier: 0 }, checked: null }), 'of one outcome alone there is no AUROC').toBe(
    'unknown',
  );
  expect(judgeChances({ others: { mae: 3 }, checked: null }), 'a number is no chance').toBeNull();
});

test('the headline over an outcome is never better than its chances and warnings', () => {
  const better = gained(0.2, 0.4, { checked: sampleChecked });
  expect(headlineOf(better, null, [])).toBe('better');
  expect(headlineOf({ ...better, checked: { ...sampleChecked, slope: 0.8 } }, null, [])).toBe('betterButOff');
  expect(headlineOf(better, null, [{ code: 'poorly_calibrated', output: 'late' }])).toBe('betterButOff');
  expect(headlineOf(better, null, [{ code: 'poorly_calibrated', output: 'other' }]), 'of another outcome').toBe(
    'better',
  );
  const leaking = [{ code: 'poorly_calibrated', output: 'late' }, { code: 'possible_leakage' }];
  expect(headlineOf(better, null, leaking), 'what makes the order doubtful comes first').toBe('betterButWarned');
  expect(headlineOf({ ...better, checked: null }, null, [{ code: 'data' }]), 'of all').toBe('betterButWarned');
  expect(headlineOf({ ...better, checked: null }, null, [])).toBe('betterUnchecked');
  expect(headlineOf(better, null, [{ code: 'calibration_unknown', output: 'late' }])).toBe('betterUnchecked');
  expect(headlineOf(gained(-0.4, -0.2, { checked: sampleChecked }), null, [{ code: 'data' }]), 'nothing is worse').toBe(
    'worse',
  );
  expect(worstFirst([{ code: 'data' }, { code: 'calibration_unknown' }, { code: 'implausibly_good' }])[0].code).toBe(
    'implausibly_good',
  );
});

test('what figures say of chances is found of a version as if its training had warned of it, and once', () => {
  const bins = [{ rows: 2_000, meanProbability: 0.1, observedRate: 0.15 }];
  const calibration = {
    ...{ rows: 2_000, expected_calibration_error: 0.05, spiegelhalter_z: 9, of_perfect: { high: 0.02 } },
    ...{ slope: 1, slope_standard_error: 0.05 },
  };
  const others = { auroc: 0.8 };
  const outputs = {
    off: { rows: 2_000, others, calibration, reliability: { bins } },
    right: { rows: 2_000, others, calibration, reliability: { bins: [{ ...bins[0], meanProbability: 0.15 }] } },
    unchecked: { rows: 2_000, others },
    number: { rows: 2_000, others: { mae: 3 } },
  };
  const right = { ...outputs.right, calibration: { ...calibration, expected_calibration_error: 0.01 } };
  const metrics = { outputs: { ...outputs, right } };
  const told = (found: ReturnType<typeof foundOf>) => found.map(({ code, output }) => `${code} ${output}`);
  expect(told(foundOf({ metrics, warnings: [] }))).toEqual(['poorly_calibrated off', 'calibration_unknown unchecked']);
  const warnings = [{ code: 'poorly_calibrated', output: 'off' }, { code: 'data' }];
  expect(told(foundOf({ metrics, warnings }))).toEqual([
    ...['poorly_calibrated off', 'data undefined', 'calibration_unknown unchecked'],
  ]);
});

test('that an outcome comes far more often of late is told by months, or by the cases that chances were checked on', () => {
  const months = (rows: number, ...means: readonly number[]) =>
    means.map((mean, at) => ({ month: `2024-0${at + 1}`, rows, mean }));
  const moved = shiftOf({ ...sampleFigures, months: months(300, 0.05, 0.06, 0.04, 0.6) });
  expect(moved?.newest).toEqual({ rows: 300, came: 0.6, from: '2024-04-01', to: '2024-04-01' });
  expect(moved?.before).toMatchObject({ rows: 900, from: '2024-01-01', to: '2024-03-01' });
  expect(moved?.before.came).toBeCloseTo(0.05);
  expect(shiftOf({ ...sampleFigures, months: months(300, 0.5, 0.5, 1) })?.newest.came, 'all alike').toBe(1);
  expect(shiftOf({ ...sampleFigures, months: months(60, 0.4, 0.4, 0.4, 0.05, 0.05) })?.newest.rows, 'two months').toBe(
    120,
  );
  expect(
    shiftOf({ ...sampleFigures, months: months(300, 0.05, 0.06, 0.04, 0.08) }),
    'within twice the odds',
  ).toBeNull();
  expect(shiftOf({ ...sampleFigures, months: months(100, 0.02, 0.02, 0) }), 'by chance').toBeNull();
  expect(shiftOf({ ...sampleFigures, months: months(300, 0.6) }), 'nothing before').toBeNull();
  const checked = { ...sampleChecked, rows: 500, came: 0.54 };
  expect(shiftOf({ ...sampleFigures, checked })).toMatchObject({
    newest: { rows: 500, came: 0.54 },
    before: { rows: 1_500, came: 0.02 },
  });
  expect(shiftOf({ ...sampleFigures, checked: sampleChecked }), 'checked on all').toBeNull();
  expect(shiftOf({ ...sampleFigures, others: { mae: 3 }, months: months(300, 0.05, 0.9) }), 'a number').toBeNull();
  const better = gained(0.2, 0.4, { checked: sampleChecked, months: months(300, 0.05, 0.6) });
  expect(headlineOf(better, null, [])).toBe('betterButWarned');
});

test('wrong chances are shown by the cases said to be most likely, or by those that are off the most', () => {
  const bins = [
    { rows: 200, said: 0.02, came: 0.06 },
    { rows: 200, said: 0.1, came: 0.08 },
    { rows: 200, said: 0.24, came: 0.17 },
  ];
  const shown = (chances: Parameters<typeof shownBin>[0], of = bins) =>
    shownBin(chances, { ...sampleChecked, bins: of });
  expect(shown('bold')).toBe(bins[2]);
  expect(shown('shy'), 'of the low ones such as are said too high').toBe(bins[1]);
  expect(shown('shy', [{ rows: 200, said: 0.05, came: 0.02 }, ...bins.slice(1)])?.came).toBe(0.02);
  expect(shown('low')).toBe(bins[0]);
  expect(shown('wrong')).toBe(bins[2]);
  const near = [bins[0], bins[1], { rows: 200, said: 0.24, came: 0.23 }];
  expect(shown('high', near), 'by less than a standard error nothing is shown').toBe(bins[1]);
  expect(shown('bold', near), 'low ones that came more often show it as well').toBe(bins[0]);
  expect([shown('right'), shown('unknown'), shown(null), shown('wrong', [])]).toEqual([null, null, null, null]);
});

test('the interval of a share is that of Wilson', () => {
  // Newcombe 1998, table I: 81 of 263, and 0 of 20.
  const [low, high] = rateInterval(81 / 263, 263);
  expect([low.toFixed(4), high.toFixed(4)]).toEqual(['0.2553', '0.3662']);
  expect(rateInterval(0, 20).map((end) => end.toFixed(4))).toEqual(['0.0000', '0.1611']);
});

test("a version is judged by the task's first output, in whatever order its outputs are stored", () => {
  const outputs = { value: { value: 2_556 }, conversion: { value: 0.67, others: { auroc: 0.67 } } };
  expect(figuresOf({ label_output: 'conversion', outputs }).map(({ name }) => name)).toEqual(['conversion', 'value']);
});

test('what is to be said of chances stands among the warnings where one of these is of the same outcome', () => {
  const found = [
    { code: 'data' },
    { code: 'outcome_moved', output: 'paid' },
    { code: 'poorly_calibrated', output: 'late' },
  ];
  expect(isToldOfChances('late', found)).toBe(true);
  expect(isToldOfChances('paid', found)).toBe(false);
});
