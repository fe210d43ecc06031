import { type Document, givesPage, type Operation, operationsOf, parametersIn } from './document.ts';
import { header } from './header.ts';
import { isCalled } from './operations.ts';

const lettersMax = 100;

/** The signature of each method, with what the document says of it: parts of the path, body, query, options. */
export function writeNouns(document: Document): string {
  const nouns = Object.entries(Object.groupBy(operationsOf(document).filter(isCalled), ({ noun }) => noun));
  const blocks = nouns.map(([noun, operations = []]) => {
    return `  readonly ${noun}: {\n${operations.map(signatureOf).join('')}  };\n`;
  });
  return [
    header,
    "import type { Body, Options, Paged, Pending, Query, Result } from './signatures.ts';\n\n",
    '/** The methods of each noun of the API: parts of the path come first, then the body, the query, and options. */\n',
    `export interface Nouns {\n${blocks.join('')}}\n`,
  ].join('');
}

function signatureOf(operation: Operation): string {
  const { verb, operationId } = operation;
  const queries = parametersIn(operation, 'query');
  const parameters = [
    ...parametersIn(operation, 'path').map(({ name }) => `${camelCase(name)}: string`),
    ...(operation.requestBody ? [`body: Body<'${operationId}'>`] : []),
    ...(queries.length > 0 ? [`query${queries.some(isRequired) ? '' : '?'}: Query<'${operationId}'>`] : []),
    `options?: Options<'${operationId}'>`,
  ];
  const result = `${givesPage(operation) ? 'Paged' : 'Pending'}<Result<'${operationId}'>>`;
  return `${docstringOf(operation)}    ${verb}(${parameters.join(', ')}): ${result};\n`;
}

function docstringOf({ method, path, summary, description = '' }: Operation): string {
  const words = `${sentence(summary)} ${description}`.trim().replaceAll('*/', '* /').split(/\s+/);
  const lines = [''];
  for (const word of words) {
    const line = lines.at(-1)!;
    if (line !== '' && line.length + word.length >= lettersMax) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return `    /**\n${[...lines, `\`${method} ${path}\``].map((line) => `     * ${line}\n`).join('')}     */\n`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function isRequired({ required }: { readonly required?: boolean }): boolean {
  return required === true;
}
