/** The document of a version: its numbers are those that were measured, in both languages, as Markdown and as a page. */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import { documentWords } from '../src/resources/models/document/words.ts';
import { writeMarkdown } from '../src/resources/models/document/write-markdown.ts';
import { pageHeaders, writePage } from '../src/resources/models/document/write-page.ts';
import { expectRefusal } from './problems.ts';
import type { Client, TestService } from './service.ts';
import type { World } from './world.ts';
import { startWorlds } from './worlds.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

let service: TestService;
let client: Client;
let world: World;
let address: string;

beforeAll(async () => {
  const worlds = await startWorlds();
  ({ service } = worlds);
  ({ world } = worlds.a);
  client = worlds.a.tenant.client;
  address = `/v1/api/models/${world.model}/versions`;
});
afterAll(() => service.close());

async function documentOf(query = '', version = world.version): Promise<string> {
  const { status, text, headers } = await client.get(`${address}/${version}/document?format=markdown${query}`);
  expect(status, text).toBe(200);
  expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  return text;
}

/** The rows of versions as they are stored, and the reports that were written with them. */
async function storedOf(ids: readonly string[]): Promise<{ row: Json; report: Json }[]> {
  const { app } = service.service;
  const rows = await system(app.db, 'test', (tx) =>
    tx.selectFrom('model_versions').selectAll().where('id', 'in', ids).orderBy('number').execute(),
  );
  return Promise.all(
    rows.map(async (row) => {
      const path = await app.storage.localPath(`${row.storage_prefix}report.json`, row.files['report.json']);
      return { row: JSON.parse(JSON.stringify(row)), report: JSON.parse(await readFile(path, 'utf8')) };
    }),
  );
}

/** All numbers in a value, and how many entries its lists have. */
function numbersIn(value: Json): number[] {
  if (typeof value === 'number') return [value];
  if (Array.isArray(value)) return [value.length, ...value.flatMap(numbersIn)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

/** Texts of data and of names, whose digits are no figures. */
const noFigures =
  /\b[a-z]{2,4}_[0-9a-f]{32}\b|\b[0-9a-f]{64}\b|\d{4}-\d\d-\d\d( \d\d:\d\d UTC)?|SHA-256|95 %|19 (of|de) 20|^## \d+\./gm;

test.each(['en', 'pt-BR'] as const)('every number of the document in %s was measured or stored', async (language) => {
  const stored = await storedOf([world.version, world.spare]);
  const { body: evaluations } = await client.get('/v1/api/evaluations');
  const known = [...numbersIn(stored as unknown as Json), ...numbersIn(evaluations.data)];
  for (const version of [world.version, world.spare]) {
    known.push(...numbersIn((await client.get(`${address}/${version}/validations`)).body.data));
    const { body } = await client.get(`/v1/api/models/${world.model}/monitoring?version=${version}`);
    known.push(...numbersIn(body));
  }
  for (const { report } of stored) {
    // Shares of codes are sums of those of their features; folds are counted from one.
    const { features } = report as unknown as { features: { code: string; importance: number }[] };
    const codes = [...Map.groupBy(features, ({ code }) => code).values()];
    known.push(...codes.flatMap((of) => [of.length, of.reduce((sum, { importance }) => sum + importance, 0)]));
  }
  known.push(...Array.from({ length: 20 }, (_, fold) => fold + 1));
  const [plain, percent] = [4, 2].map((digits) => new Intl.NumberFormat(language, { maximumFractionDigits: digits }));
  const said = new Set(known.flatMap((value) => [plain.format(value), percent.format(100 * value)]));
  for (const version of [world.version, world.spare]) {
    const text = await documentOf(`&language=${language}`, version);
    // What is quoted is no figure: the definition, what is read in words, lists of texts.
    const quoted = (line: string) =>
      /^\| entity:|^- (?!\*\*)/.test(line) || /\| [^|]*(last|últimos|earlier|anteriores|days|dias)[^|]* \|$/.test(line);
    const lines = text.split('\n').filter((line) => !quoted(line));
    const figures =
      lines
        .join('\n')
        .replace(noFigures, '')
        .match(/(?<![\w.,])[-−]?\d(?:[\d.,]*\d)?(?![\w])/g) ?? [];
    expect(figures.length, text).toBeGreaterThan(45);
    expect(figures.filter((figure) => !said.has(figure))).toEqual([]);
  }
});

test('its headings are those that supervisors ask for, in order, and each says something', async () => {
  for (const language of ['en', 'pt-BR'] as const) {
    const text = await documentOf(`&language=${language}`);
    const headings = [...text.matchAll(/^## \d+\. (.*)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(Object.values(documentWords[language].headings));
    for (const part of text.split(/^## .*$/m).slice(1)) expect(part.trim()).not.toBe('');
  }
});

test('its figures are those of the version, its segments those of the evaluation, its history that of the trail', async () => {
  const text = await documentOf();
  const { body: version } = await client.get(`${address}/${world.version}`);
  const four = (value: number) => new Intl.NumberFormat('en', { maximumFractionDigits: 4 }).format(value);
  const { prediction } = version.metrics.outputs;
  expect(text).toContain(`| prediction | auroc | ${four(prediction.value)} | `);
  const { body: evaluation } = await client.get(`/v1/api/evaluations/${world.evaluation}`);
  const { later, all } = evaluation.result.outputs[0];
  const { values } = (later ?? all).segments[0];
  expect(values.length).toBeGreaterThan(0);
  for (const { value, rows, metric } of values)
    expect(text).toMatch(
      new RegExp(
        `\\| ${value} \\| ${rows} \\| \\d+ \\| ${metric.value === null ? 'not measured' : four(metric.value)} \\|`,
      ),
    );
  expect(text).toContain(world.evaluation.replaceAll('_', '\\_'));
  expect(text).toMatch(new RegExp(`given an alias \\| ${world.alias} \\|`));
  for (const hash of Object.values((await storedOf([world.version]))[0].row!['files' as never]))
    expect(text).toContain(hash);
  expect(text).toContain('There is no version before it.');
  expect(await documentOf('', world.spare)).toContain('Compared with version 1.');
});

test('what was not measured says so', async () => {
  const text = await documentOf('&segments=segment,since');
  expect(text).toContain('since: not measured: no evaluation of this version has it as a segment.');
  expect(text).toMatch(/segment, prediction \(all rows, of which some may have been learned from\)/);
  const without = await documentOf('', world.spare);
  expect(without).toContain('not measured: evaluate the version on a labelled file with segments.');
  expect(without).toContain('the newest evaluation on a labelled file: not measured.');
});

test('in Portuguese no sentence is left in English', async () => {
  const text = (await documentOf('&language=pt-BR', world.spare)).replaceAll('\\', '');
  const [{ report }] = await storedOf([world.spare]);
  const { features, notes, warnings } = report as never as {
    features: { description: string | null }[];
    notes: string[];
    warnings: { message: string }[];
  };
  const english = [
    ...sentencesIn(documentWords.en as never as Json),
    ...features.flatMap(({ description }) => description ?? []),
    ...notes,
    ...warnings.map(({ message }) => message),
  ];
  expect(english.length).toBeGreaterThan(80);
  const portuguese = new Set(sentencesIn(documentWords['pt-BR'] as never as Json));
  expect(english.filter((one) => !portuguese.has(one) && text.includes(one))).toEqual([]);
  expect(text.match(/\b(the|which|was|were|than|what)\b/gi) ?? []).toEqual([]);
});

/** The texts of words that have several words. */
function sentencesIn(value: Json): string[] {
  if (typeof value === 'string') return value.includes(' ') ? [value] : [];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sentencesIn) : [];
}

test('a browser gets a page to print, without scripts, and others Markdown, unless they say what they want', async () => {
  const at = `${address}/${world.alias}/document`;
  const page = await client.send('GET', at, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  expect(page.status, page.text).toBe(200);
  for (const [name, value] of Object.entries(pageHeaders)) expect(page.headers.get(name)).toBe(value);
  expect(page.text).toMatch(/^<!doctype html>/);
  expect(page.text).not.toMatch(/<script|<img|<link|\son\w+=|style="/i);
  expect((await client.get(at)).headers.get('content-type')).toContain('text/markdown');
  expect((await client.get(`${at}?format=html`)).text).toMatch(/^<!doctype html>/);
  expectRefusal(await client.get(`${at}?format=pdf`), 400, 'invalid_parameter', '/query/format');
  expectRefusal(await client.get(`${address}/99/document`), 404, 'not_found');
});

describe('names of customers are texts wherever they stand', () => {
  const nasty = '<script>alert("x")</script> | *b* _i_ `c` [l](http://x) & # h\n## heading';
  const document = {
    language: 'en',
    title: nasty,
    about: [{ kind: 'text', text: `# ${nasty}` }],
    sections: [
      {
        heading: nasty,
        blocks: [
          { kind: 'list', items: [nasty, '1. one'] },
          { kind: 'facts', facts: [[nasty, nasty]] },
          { kind: 'table', title: nasty, head: [nasty, 'b'], rows: [[nasty, 'b']] },
        ],
      },
    ],
  } as const;

  test('in Markdown they make no heading, cell, link or tag', () => {
    const text = writeMarkdown(document);
    expect(text.match(/^#+ /gm)).toEqual(['# ', '## ']);
    expect(text).not.toContain('<');
    for (const line of text.split('\n').filter((line) => line.startsWith('|')))
      expect(line.match(/(?<!\\)\|/g)).toHaveLength(3);
    expect(text.replace(/\\./g, '')).not.toMatch(/[`[\]]|(?<!\*)\*(?!\*)|_/);
  });

  test('in the page they make no tag', () => {
    const page = writePage(document);
    expect(page).not.toContain('<script');
    expect(page.match(/<td>/g)).toHaveLength(2);
    expect(page.split('&lt;script&gt;').length).toBeGreaterThan(8);
  });
});
