import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../ml/gfm/facts/store.ts';
import { gfmCommand } from './gfm.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lastro-gfm-commands-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function gfm(...args: string[]): Promise<{ out: string; said: string[] }> {
  let out = '';
  const said: string[] = [];
  expect(await gfmCommand(args, { write: (text) => (out += text) }, (line) => said.push(line))).toBe(0);
  return { out, said };
}

const at = (...names: string[]) => join(folder, ...names);

test('a made-up economy is imported as a synthetic store, the same for the same seed', async () => {
  for (const name of ['a', 'b']) await gfm('demo-economy', '--out', at(name), '--companies', '60', '--seed', '4');
  for (const file of ['graph/nodes.csv', 'graph/relations.csv', 'tables/payments.csv', 'truth/rings.json'])
    expect(readFileSync(at('a', file), 'utf8')).toBe(readFileSync(at('b', file), 'utf8'));
  const { said } = await gfm('import', at('a', 'graph'), '--out', at('store'));
  expect(said.at(-1)).toMatch(/facts of 11 relations in .*; all of it made up/);
  const store = await openStore(at('store'));
  expect(store.sources.map(({ name }) => name)).toEqual(['nodes.csv', 'records.csv', 'relations.csv']);
  expect(store.entities.entryOf(1)!.identifier).toMatch(/^SYN-/);
  await expect(gfm('import', at('a', 'graph'), '--out', at('store'))).rejects.toThrow(/exists already/);
});

test('what cannot be is refused with what to do, and leaves nothing behind', async () => {
  writeFileSync(at('x.csv'), 'a,b\n1,2\n');
  mkdirSync(at('version'));
  writeFileSync(at('version', 'manifest.json'), '{"magic": "lastro-gfm"}');
  const refused: readonly (readonly [string[], RegExp])[] = [
    [['fly'], /there is no command gfm fly/],
    [['import', '--out', at('s')], /at least one argument/],
    [['import', at('missing.csv'), '--out', at('s')], /does not exist/],
    [['import', at('x.csv'), '--out', at('s')], /neither edges/],
    [['import', at('x.csv'), '--out', at('s'), '--layout', 'fr'], /expected br-register/],
    [['import', at('x.csv'), '--out', at('s'), '--published', '2026-01-01'], /go with --layout br-register/],
    [['import', at('x.csv'), '--out', at('s'), '--layout', 'br-register', '--published', 'May'], /is not a day/],
    [
      ['import', at('x.csv'), '--out', at('s'), '--layout', 'br-register', '--published', '2023-02-29'],
      /2023-02-29 is not a day/,
    ],
    [['demo-economy', '--out', at('s'), '--from', '2023-02-29'], /--from 2023-02-29 is not a day/],
    [['train', at('nothing'), '--out', at('s'), '--name', 'v1'], /no store of facts/],
    [['train', at('nothing'), '--out', at('s'), '--name', 'V 1'], /is named with/],
    [['embed', at('nothing'), '--id', 'x', '--dimension', '100'], /expected one of 1024/],
    [['evaluate', at('version'), '--days', 'soon'], /--days soon is not a number of days above 0/],
    [['evaluate', at('version'), '--days', '0'], /--days 0 is not a number of days above 0/],
    [['embed', at('nothing'), '--id', 'x'], /no version of the graph model/],
    [['demo-economy', '--out', at('s'), '--companies', '3'], /from 50 to/],
    [['demo-economy', '--out', at('s'), '--from', '2024-01-01'], /2 to 15 years/],
  ];
  for (const [args, why] of refused) await expect(gfm(...args)).rejects.toThrow(why);
  expect(existsSync(at('s'))).toBe(false);
});

test('help names every command, and both things that are evaluated', async () => {
  const { out } = await gfm('--help');
  for (const usage of [
    'demo-economy',
    'demo-version',
    'import',
    'train',
    'embed',
    'evaluate <folder>',
    'evaluate <version>',
  ])
    expect(out).toContain(`usage: lastro gfm ${usage}`);
  expect((await gfm('train', '--help')).out).toContain('--until');
});
