/** Stored bytes are what they were, or nothing is made of them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { system } from '../src/access/transactions.ts';
import {
  bitsOf,
  expectFound,
  expectSpoiltFound,
  expectWorks,
  flip,
  kinds,
  objectOf,
  openStage,
  type Stage,
  spoilings,
} from './damage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.service.close());

test.each(Object.keys(kinds))(
  'a flipped bit in %s is found by all that read it, and mended it is read again',
  async (kind) => {
    const { key, path } = await objectOf(stage, kind);
    const bit = Math.floor(bitsOf(path) / 2);
    // What was read a moment ago is found to be damaged too: each use comes after one that went well.
    await expectWorks(stage, key, kinds[kind].uses[0]);
    for (const use of kinds[kind].uses) {
      flip(path, bit);
      try {
        await expectFound(stage, key, use);
      } finally {
        flip(path, bit);
      }
      await expectWorks(stage, key, use);
    }
  },
);

// Frozen tables are found by the same door, by a service of its own each time; all other ways are tried at length.
test.each([
  ...Object.keys(spoilings).map((way) => ['an uploaded file', way] as const),
  ['frozen tables', 'another object'] as const,
])('%s: %s is found', (kind, way) => expectSpoiltFound(stage, kind, way));

test('records of two objects that changed places are found', async () => {
  const one = await objectOf(stage, 'an uploaded file');
  const other = await objectOf(stage, 'frozen tables');
  const recordOf = (path: string) => path.replace(/~[0-9a-f]{16}(\.\w+)?$/, (_, ending) => `${ending ?? ''}~.json`);
  const records = [recordOf(one.path), recordOf(other.path)];
  const [first, second] = records.map((path) => readFileSync(path));
  writeFileSync(records[0], second);
  writeFileSync(records[1], first);
  try {
    await expectFound(stage, one.key, kinds['an uploaded file'].uses[0]);
    await expectFound(stage, other.key, kinds['frozen tables'].uses[0]);
  } finally {
    writeFileSync(records[0], first);
    writeFileSync(records[1], second);
  }
  await expectWorks(stage, one.key, kinds['an uploaded file'].uses[0]);
});

test('the operator is told by a count, and the workspace by an event', async () => {
  const { key, path } = await objectOf(stage, 'an uploaded file');
  const count = async () => {
    const { text } = await stage.service.anonymous.get('/metrics');
    return Number(/^lastro_damaged_objects_total (\d+)$/m.exec(text)?.[1]);
  };
  const before = await count();
  flip(path, 0);
  try {
    await expectFound(stage, key, kinds['an uploaded file'].uses[0]);
  } finally {
    flip(path, 0);
  }
  expect(await count()).toBe(before + 1);
  const entries = await system(stage.service.service.app.db, 'test', (tx) =>
    tx.selectFrom('audit_entries').selectAll().where('action', '=', 'object-damage').execute(),
  );
  const own = entries.filter(({ target_id }) => target_id === key.split('/').slice(2).join('/'));
  // Met many times in this file, and recorded once.
  expect(own).toHaveLength(1);
  expect(own[0].data).toMatchObject({ expected_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
});
