import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sellerContract } from '../../../tests/support/samples/answers.ts';
import { headRulesOf } from '../tasks/heads.ts';
import { parseTask } from '../tasks/parse-task.ts';
import { resolveTask } from '../tasks/resolve.ts';

const manual = readFileSync(join(import.meta.dirname, '../../../../docs/kinds-of-prediction.md'), 'utf8');

test('the definition in the manual can be asked', () => {
  const blocks = [...manual.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block]) => block!);
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks) {
    const warnings: string[] = [];
    const task = resolveTask(parseTask(block, 'manual', 'task.yaml', warnings), sellerContract, 'task.yaml');
    expect(warnings).toEqual([]);
    expect(task.heads?.map(({ name }) => name)).toEqual(headRulesOf(task.kind).map(({ name }) => name));
  }
});

test('its table of heads is the one there is', () => {
  for (const kind of ['fraud', 'lead_scoring', 'field_sales', 'paid_media'] as const) {
    const [, heads] = new RegExp(`^\\| \`${kind}\` \\| (.*?) \\|`, 'm').exec(manual)!;
    const told = [...heads!.matchAll(/(\*\*)?`(\w+)`/g)].map(([, bold, name]) => [name, bold !== undefined]);
    expect(told).toEqual(headRulesOf(kind).map(({ name, required }) => [name, required]));
  }
});
