import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseContract } from '../../contract/parse.ts';
import { loadTables } from '../../graph/load.ts';
import { auroc } from '../../statistics/metrics.ts';
import { drawEconomy } from './draw.ts';
import { daysPerMonth, type Economy, isRecord } from './economy.ts';
import { labelsOf, labelWindowDays, writeEconomy } from './write.ts';

const from = Date.parse('2018-01-01') / 86_400_000;
const until = Date.parse('2024-12-31') / 86_400_000;
const options = { companies: 2000, seed: 3, from, until };

let economy: Economy;
let folder: string;

beforeAll(async () => {
  economy = drawEconomy(options);
  folder = mkdtempSync(join(tmpdir(), 'lastro-economy-'));
  await writeEconomy(folder, economy);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the same seed makes the same economy, another one another', () => {
  const small = { ...options, companies: 100 };
  const facts = (seed: number) => JSON.stringify(drawEconomy({ ...small, seed }).facts);
  expect(facts(1)).toBe(facts(1));
  expect(facts(1)).not.toBe(facts(2));
});

test('its tables are as their contract says, and its label windows do not overlap between splits', async () => {
  const contract = parseContract(readFileSync(join(folder, 'contract.yaml'), 'utf8'), 'contract.yaml');
  const { tables, report } = await loadTables(folder, contract);
  expect(report).toMatchObject({ warnings: [], rejectedTotal: 0 });
  expect(tables.get('companies')!.rows).toBe(2000);
  expect(tables.get('payments')!.rows).toBeGreaterThan(10_000);
  const labels = labelsOf(economy);
  const days = (split: string) => labels.filter((label) => label.split === split).map(({ day }) => day);
  expect(Math.max(...days('train')) + labelWindowDays).toBeLessThanOrEqual(Math.min(...days('val')));
  expect(Math.max(...days('val')) + labelWindowDays).toBeLessThanOrEqual(Math.min(...days('test')));
});

test('distress of suppliers comes before defaults of their customers, and later distress does not', () => {
  const { companies, facts, months, stress, defaultedAt } = economy;
  const suppliers = Map.groupBy(
    facts.filter(({ relation }) => relation === 'supplies'),
    ({ object }) => object,
  );
  const labels = labelsOf(economy);
  const meanAround = (company: number, day: number, shift: number) => {
    const month = Math.floor((day - from) / daysPerMonth) + shift;
    const alive = (suppliers.get(company) ?? []).filter((fact) => fact.from <= day && !(fact.to <= day));
    const felt = alive.map(({ subject }) => {
      const isDown = defaultedAt[subject] <= day && defaultedAt[subject] > day - 270;
      return (stress[subject * months + month] ?? 0) + (isDown ? 4 : 0);
    });
    return felt.length === 0 ? 0 : felt.reduce((a, b) => a + b, 0) / felt.length;
  };
  const rate = auroc(
    labels.map(({ defaults }) => Number(defaults)),
    labels.map(({ company, day }) => meanAround(company, day, -2)),
  );
  expect(rate).toBeGreaterThan(0.58);
  expect(companies).toBe(2000);
});

test('a member of a ring hangs on the next by something both have from before it bursts', () => {
  const { rings, facts, defaultedAt } = economy;
  expect(rings.length).toBeGreaterThan(5);
  for (const { members, burstAt, path } of rings) {
    expect(path.map((step) => step.from)).toEqual(members);
    expect(Math.abs(defaultedAt[members[0]] - burstAt)).toBeLessThanOrEqual(daysPerMonth);
    for (const { from: member, to, via, relation } of path) {
      const has = (company: number) =>
        facts.some(
          (fact) =>
            fact.relation === relation &&
            ((fact.subject === company && fact.object === via) || (fact.subject === via && fact.object === company)) &&
            fact.from < burstAt,
        );
      expect([has(member), has(to)]).toEqual([true, true]);
    }
  }
});

test('nothing is made up that began before somebody existed, or goes on with a company in default', () => {
  const { facts, companies, entities, defaultedAt } = economy;
  const wrong = facts.filter(({ subject, relation, object, from: start, to }) =>
    [subject, object].some(
      (end) =>
        !isRecord(relation) &&
        (start < entities[end].since || (end < companies && defaultedAt[end] + 150 < Math.min(until, to || until))),
    ),
  );
  expect(wrong).toEqual([]);
});
