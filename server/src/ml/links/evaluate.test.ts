import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleFacts } from '../../../tests/support/samples/links.ts';
import { gfmCommand } from '../../commands/gfm.ts';
import type { LinkReport } from './evaluate.ts';
import { readGraph } from './facts.ts';

let place: string;
const rows = sampleFacts(5, { entities: 50, relations: 3, moments: 40, facts: 8 });
const header = 'subject,relation,object,timestamp';
const write = (part: string, facts: readonly (readonly (number | string)[])[]) =>
  writeFileSync(join(place, `${part}.csv`), `${[header, ...facts.map((fact) => fact.join(','))].join('\n')}\n`);
/** Steps of six hours from hour `from` on, with entities by name. */
const named = (from: number, to: number) =>
  rows
    .filter(([, , , time]) => time >= from && time < to)
    .map(([s, r, o, time]) => [`company ${s}`, `relation ${r}`, `company ${o}`, 1_000 + 6 * time]);

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'lastro-links-'));
  write('train', named(0, 28));
  write('valid', named(28, 34));
  write('test', named(34, 40));
  writeFileSync(
    join(place, 'entities.csv'),
    `entity_id\n${Array.from({ length: 90 }, (_, e) => `company ${e}`).join('\n')}\n`,
  );
});
afterAll(() => rmSync(place, { recursive: true }));

async function evaluated(...options: string[]): Promise<{ text: string; report: LinkReport; shown: string }> {
  const out = join(place, 'report.json');
  let shown = '';
  const output = { write: (text: string) => (shown += text) };
  expect(await gfmCommand(['evaluate', place, '--out', out, ...options], output, () => {})).toBe(0);
  const text = readFileSync(out, 'utf8');
  return { text, report: JSON.parse(text), shown };
}

test('both policies are evaluated on valid and test, by direction, novelty and view, and again in the same bytes', async () => {
  const { text, report, shown } = await evaluated();
  expect((await evaluated()).text).toBe(text);
  expect(report.graph).toEqual({ entities: 90, relations: 3, train: 28 * 8, valid: 48, test: 48 });
  expect(report.chosen.step).toBe(6);
  expect(report.chosen.half_lives[1]).toBe(
    report.chosen.half_lives_tried.reduce((a, b) => (b.mrr > a.mrr ? b : a)).half_life,
  );
  const repeated = (from: number, to: number) => {
    const asked = rows.filter(([, , , time]) => time >= from && time < to);
    const isSeen = (fact: number[]) =>
      rows.some((row) => row[3] < fact[3] && [0, 1, 2].every((at) => row[at] === fact[at]));
    return 2 * asked.filter(isSeen).length;
  };
  for (const policy of ['follow', 'fixed'] as const) {
    const { valid, test: tested, means } = report.policies[policy]!;
    expect(means).toContain('Fixed after the end of train');
    expect(valid.ranker.questions).toBe(96);
    expect(valid.by_novelty.repeated.questions).toBe(repeated(28, 34));
    expect(valid.by_novelty.new.questions).toBe(96 - repeated(28, 34));
    expect(valid.by_direction.object.questions).toBe(48);
    // Half of the facts repeat earlier ones. With ninety entities a guess would reach 0.06.
    expect(tested!.ranker.mrr).toBeGreaterThan(0.2);
    expect(tested!.by_novelty.repeated.mrr).toBeGreaterThan(tested!.by_novelty.new.mrr);
    expect(Object.keys(tested!.by_view)).toContain('edge (s, r, o)');
  }
  const [follow, fixed] = [report.policies.follow!, report.policies.fixed!];
  expect(fixed.test!.by_view['edge (s, r, o)']).toEqual(follow.test!.by_view['edge (s, r, o)']);
  expect(fixed.test!.by_view['length-1 rules, noisy-or']).not.toEqual(follow.test!.by_view['length-1 rules, noisy-or']);
  expect(shown).toMatch(/^ranker +\d/m);
});

test('what test holds moves nothing of what valid shows', async () => {
  const { report } = await evaluated('--follow-only');
  write('test', [...named(34, 40), ['company 1', 'relation 1', 'company 2', 1_000 + 6 * 34]]);
  const other = await evaluated('--follow-only', '--valid-only');
  write('test', named(34, 40));
  expect(report.policies.fixed).toBeUndefined();
  expect(other.report.policies.follow!.test).toBeUndefined();
  expect(other.report.policies.follow!.valid).toEqual(report.policies.follow!.valid);
});

test('parts that do not follow each other, and rows that cannot be read, are refused by name', async () => {
  write('valid', named(27, 34));
  await expect(readGraph(place)).rejects.toThrow('valid.csv begins at 1162, which is not after the end of train.csv');
  write('valid', [...named(28, 34), ['company 1', 'relation 1', 'company 2', 'soon']]);
  await expect(readGraph(place)).rejects.toThrow('valid.csv, row 49, column timestamp');
  write('valid', []);
  await expect(readGraph(place)).rejects.toThrow('holds no facts');
  rmSync(join(place, 'valid.csv'));
  await expect(readGraph(place)).rejects.toThrow('is missing');
});
