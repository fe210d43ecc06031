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
