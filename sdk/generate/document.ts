/** openapi.json, as the client is made from it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Readonly<Record<string, unknown>>;
type Parameter = { readonly in: 'path' | 'query' | 'header'; readonly name: string; readonly required?: boolean };
type Media = { readonly schema?: { readonly $ref?: string } };

export type Described = {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
  readonly 'x-permission': string | readonly string[];
};

export type Document = Json & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: Readonly<Record<'schemas' | 'responses' | 'examples' | 'securitySchemes', Json>>;
};

/** An operation with its place: `noun` and `verb` are the two halves of its operationId. */
export type Operation = Described & {
  readonly method: string;
  readonly path: string;
  readonly noun: string;
  readonly verb: string;
};

export const repository = join(import.meta.dirname, '..', '..');

export function readDocument(): Document {
  return JSON.parse(readFileSync(join(repository, 'openapi.json'), 'utf8'));
}

/** All operations, in the order of the document. */
export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const [noun, verb] = described.operationId.split('.');
      return { ...described, method: method.toUpperCase(), path, noun, verb };
    }),
  );
}

/**
 * Why no method calls an operation, or null where one does: what is retired or about to be, signed addresses, which are
 * answered whole by the service, and where identity providers and their redirects lead browsers.
 */
export function whyUncalled(operation: Operation): 'deprecated' | 'signed' | 'redirect' | null {
  if (operation.deprecated) return 'deprecated';
  if (
    operation['x-permission'] === 'signed' ||
    parametersIn(operation, 'query').some(({ name }) => name === 'signature')
  )
    return 'signed';
  if (successesOf(operation).every(([status]) => status === '303')) return 'redirect';
  return null;
}

/** Whether it answers with server-sent events: a method of its own follows those. */
export function isStream(operation: Operation): boolean {
  return successesOf(operation).some(([, { content }]) => content !== undefined && 'text/event-stream' in content);
}

export function parametersIn({ parameters = [] }: Described, place: Parameter['in']): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.in === place);
}

export function successesOf({ responses }: Described) {
  return Object.entries(responses).filter(([status]) => Number(status) < 400);
}

/** Whether it answers anything but JSON. */
export function givesBytes(operation: Operation): boolean {
  return successesOf(operation).some(
    ([, { content }]) => content !== undefined && !Object.keys(content).some((type) => type === 'application/json'),
  );
}

/** Whether it answers a page of a list that goes on by its cursor. */
export function givesPage(operation: Operation): boolean {
  return operation.method === 'GET' && parametersIn(operation, 'query').some(({ name }) => name === 'cursor');
}
