import { writeFileSync } from 'node:fs';
import { generateTables, tablesFile } from './schema.ts';

writeFileSync(tablesFile, await generateTables());
