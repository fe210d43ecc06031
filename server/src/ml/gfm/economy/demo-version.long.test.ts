import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openKind } from '../neighbors.ts';
import { openGfm } from '../version.ts';
import { makeDemoVersion } from './demo-version.ts';

test('the version that comes with the service is of a made-up economy, whose companies have neighbours', {
  timeout: 600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lastro-demo-version-test-'));
  try {
    await makeDemoVersion(join(folder, 'version'), Date.parse('2026-01-02T03:04:05Z'));
    const gfm = await openGfm(join(folder, 'version'));
    expect(gfm).toMatchObject({ name: 'demo-1', isSynthetic: true, generatedAt: '2026-01-02T03:04:05.000Z' });
    expect((await gfm.periodBefore(gfm.until))!.end).toBe(gfm.until);
    const company = gfm.find('SYN-C0000100', 'company');
    const { entities, neighborhood } = await openKind(gfm, 'company', gfm.until);
    const found = neighborhood.nearest(gfm.embed(company, gfm.until)!, 10, entities.indexOf(company));
    expect(found).toHaveLength(10);
    expect(found[0].similarity).toBeGreaterThan(0.5);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
