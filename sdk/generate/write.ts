/** Writes what is made from openapi.json: `npm run -w sdk types`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './document.ts';
import { generate } from './generate.ts';

for (const [path, text] of Object.entries(await generate())) writeFileSync(join(repository, path), text);
