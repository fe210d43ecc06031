import { readDocument } from './document.ts';
import { writeNouns } from './nouns.ts';
import { writeOperations } from './operations.ts';
import { writeSchema } from './schema.ts';

/** The text of every file that is made from openapi.json, by path. */
export async function generate(): Promise<Readonly<Record<string, string>>> {
  const document = readDocument();
  return {
    'sdk/src/schema.ts': await writeSchema(document),
    'sdk/src/operations.ts': writeOperations(document),
    'sdk/src/nouns.ts': writeNouns(document),
  };
}
