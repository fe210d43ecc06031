import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../generate/document.ts';
import { generate } from '../generate/generate.ts';

test('what is made from openapi.json is as `npm run -w sdk types` makes it', async () => {
  for (const [path, text] of Object.entries(await generate()))
    expect(
      readFileSync(join(repository, path), 'utf8') === text,
      `${path} is of another openapi.json: npm run -w sdk types`,
    ).toBe(true);
});
