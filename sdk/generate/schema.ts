import openapiTypescript, { astToString } from 'openapi-typescript';
import { type Document, operationsOf, successesOf } from './document.ts';
import { header } from './header.ts';

/** Of what the document has: addresses are in the table of operations, which no type needs. */
const kept: readonly string[] = ['components', 'operations'];

/** The types of all schemas and operations. Refusals are left out: they are of one form, `Problem`. */
export async function writeSchema(document: Document): Promise<string> {
  const nodes = await openapiTypescript(JSON.stringify(withoutRefusals(document)), {
    immutable: true,
    // What has a default may be left out of a request.
    defaultNonNullable: false,
  });
  const written = nodes.filter((node) => 'name' in node && kept.includes((node.name as { text: string }).text));
  return `${header}${astToString(written)}`;
}

/** Without what no method calls by itself either: examples and answers of refusals, which are most of the text. */
function withoutRefusals(document: Document): Document {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, noun: _, verb: __, ...described } of operationsOf(document)) {
    const responses = Object.fromEntries(successesOf(described));
    (paths[path] ??= {})[method.toLowerCase()] = { ...described, responses };
  }
  const { schemas } = document.components;
  return JSON.parse(JSON.stringify({ ...document, paths, components: { schemas } }, omitExamples));
}

function omitExamples(key: string, value: unknown): unknown {
  return key === 'examples' || key === 'example' ? undefined : value;
}
