import { expect, test } from 'vitest';
import { parseTask } from './parse-task.ts';

test('a metric is named by any of its names, and by no word that programs have for themselves', () => {
  const metricOf = (kind: string, metric: string) =>
    parseTask(`entity: a\nkey: b\nlabel: c\nkind: ${kind}\nmetric: ${metric}\n`, 'one', 'task.yaml').metric;
  expect(['ap', 'roc_auc', 'brier'].map((name) => metricOf('binary', name))).toEqual([
    'average_precision',
    'auroc',
    'brier',
  ]);
  expect(metricOf('multiclass', 'f1')).toBe('multiclass_macro_f1');
  for (const kind of ['multiclass', 'binary'])
    expect(() => metricOf(kind, 'constructor')).toThrow('metric: must be one of');
});

test('a kind that there is not is told once, beside the other mistakes, where a target is given', () => {
  const text = 'entity: a\nkind: wrong\ntarget: {table: b, horizons: [3 months]}\nfoo: 1\n';
  expect(() => parseTask(text, 'one', 'task.yaml')).toThrow(
    /^task\.yaml is not a task: line 2, kind: must be one of [\w, ]+; line 3, target\.horizons\[0\]: must be [^;]+; did you mean 90d\?; line 4, foo: unknown field/,
  );
});
