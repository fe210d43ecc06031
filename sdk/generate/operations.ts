import {
  type Document,
  givesBytes,
  givesPage,
  isStream,
  type Operation,
  operationsOf,
  parametersIn,
  whyUncalled,
} from './document.ts';
import { header } from './header.ts';

/** POSTs that answer and change nothing. */
const pure = ['predictions.create', 'embeddings.create', 'embeddings.findNeighbors', 'tasks.readDefinition'];

/** How each operation is called: a table of values, which the methods of the client are made from. */
export function writeOperations(document: Document): string {
  const nouns = Object.entries(Object.groupBy(operationsOf(document).filter(isCalled), ({ noun }) => noun));
  const tables = nouns.map(([noun, operations = []]) => `  ${noun}: {\n${operations.map(lineOf).join('')}  },\n`);
  return `${header}export const operations = {\n${tables.join('')}} as const;\n`;
}

export function isCalled(operation: Operation): boolean {
  return whyUncalled(operation) === null && !isStream(operation);
}

function lineOf(operation: Operation): string {
  const { verb, method, path, operationId } = operation;
  const takes = [
    operation.requestBody && 'body: true',
    parametersIn(operation, 'query').length > 0 && 'query: true',
    parametersIn(operation, 'header').some(({ name }) => name === 'Idempotency-Key') && 'key: true',
    pure.includes(operationId) && 'pure: true',
    givesPage(operation) && 'page: true',
    givesBytes(operation) && 'bytes: true',
  ];
  const fields = [`method: '${method}'`, `path: '${path}'`, ...takes.filter((field) => field)];
  return `    ${verb}: { ${fields.join(', ')} },\n`;
}
