/** Models of many rows, and of a past that differs from the present; test data as in synthetic.test.ts. */
import { expect, test } from 'vitest';
import { makeProjects, makeSpending } from '../../../tests/synthetic.ts';
import { measureSynthetic } from '../../../tests/synthetic-measure.ts';
import { parseTask } from '../tasks/parse-task.ts';

test('where the past was another, the model is one of the newest rows', async () => {
  const projects = makeProjects(3_600, { stages: 1.5 }, 4);
  // The change is long enough ago for folds to see both sides; otherwise only earlier labels would show it.
  const changed = projects.labels.map((label, i) =>
    i < projects.labels.length * 0.3 ? { ...label, label: 1 - label.label } : label,
  );
  const { value, learned } = await measureSynthetic({ ...projects, labels: changed });
  expect(learned.outputs[0].newestShare).toBe(0.5);
  expect(value).toBeGreaterThan(0.86);
  expect((await measureSynthetic(projects)).learned.outputs[0].newestShare).toBe(1);
});

test('where half the rows do worse, the model is one of more than recipes are compared on', async () => {
  const spending = makeSpending(6_000, 'count', 'mae', 5);
  const stays = parseTask(
    'entity: member\nkey: member_id\nlabel: value\nkind: binary\nmetric: auroc\nwindow: 60d\n',
    'stays',
    'task.yaml',
  );
  // About a tenth are positive: they are all kept, and weights restore the proportions.
  const labels = spending.labels.map((label) => ({ ...label, label: label.label > 2 ? 1 : 0 }));
  const { learned } = await measureSynthetic({ ...spending, task: stays, labels });
  const [output] = learned.outputs;
  expect(output.rows).toBeGreaterThan(25_000);
  expect(output.trials.at(-1)!.recipe).toMatch(/every second row$/);
  const { margins, labels: truth, weights } = output.outOfFold;
  const share = weights.reduce((sum, weight, i) => sum + weight * truth[i], 0) / weights.reduce((a, b) => a + b);
  expect(share).toBeLessThan(0.25);
  expect(margins.length).toBe(truth.length);
});
