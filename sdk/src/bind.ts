import { addressOf, type Query } from './http/address.ts';
import { paged, pending } from './http/pending.ts';
import { randomKey } from './http/random-key.ts';
import { type Request, send } from './http/send.ts';
import type { Nouns } from './nouns.ts';
import { operations } from './operations.ts';
import type { Settings } from './settings.ts';
import type { Answered, Page, RequestOptions } from './signatures.ts';

/** How an operation is called, as the table has it. */
type Operation = {
  readonly method: string;
  readonly path: string;
  readonly body?: true;
  readonly query?: true;
  /** Takes an Idempotency-Key. */
  readonly key?: true;
  /** A POST that changes nothing. */
  readonly pure?: true;
  readonly page?: true;
  readonly bytes?: true;
};

/** Everything that an operation may have as an option. */
type CallOptions = RequestOptions & {
  readonly idempotencyKey?: string;
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  readonly range?: string;
};

/** A method for each operation. The table and the types are made from one document, which is why the cast holds. */
export function bindNouns(settings: Settings): Nouns {
  const nouns = Object.entries<Readonly<Record<string, Operation>>>(operations).map(([noun, verbs]) => {
    const methods = Object.entries(verbs).map(([verb, operation]) => [verb, bind(settings, operation)]);
    return [noun, Object.fromEntries(methods)];
  });
  return Object.fromEntries(nouns) as Nouns;
}

/** The arguments are the parts of the path, then the body, the query and the options, each where there is one. */
function bind(settings: Settings, operation: Operation): (...args: unknown[]) => unknown {
  const parts = operation.path.split(/\{\w+\}/).length - 1;
  return (...args) => {
    const places = args.slice(0, parts);
    const rest = args.slice(parts);
    const body = operation.body ? rest.shift() : undefined;
    const query = operation.query ? (rest.shift() as Query | undefined) : undefined;
    const request = requestOf(operation, places, body, query ?? {}, (rest.shift() as CallOptions | undefined) ?? {});
    if (!operation.page) return pending(send(settings, request));
    const ofCursor = (cursor: string | null) =>
      cursor === null ? request : { ...request, address: addressOf(operation.path, places, { ...query, cursor }) };
    return paged((cursor) => send(settings, ofCursor(cursor)) as Promise<Answered<Page<unknown>>>);
  };
}

function requestOf(
  operation: Operation,
  places: readonly unknown[],
  body: unknown,
  query: Query,
  options: CallOptions,
): Request {
  const { idempotencyKey, ifMatch, ifNoneMatch, range } = options;
  return {
    method: operation.method,
    address: addressOf(operation.path, places, query),
    headers: {
      ...(operation.key ? { 'idempotency-key': idempotencyKey ?? randomKey() } : {}),
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      ...(ifNoneMatch === undefined ? {} : { 'if-none-match': ifNoneMatch }),
      ...(range === undefined ? {} : { range }),
    },
    ...(body === undefined ? {} : { body }),
    isRepeatable: operation.method !== 'POST' || operation.key === true || operation.pure === true,
    wants: operation.bytes ? 'bytes' : 'json',
    waitMs: typeof query.wait === 'number' ? query.wait * 1000 : 0,
    options,
  };
}
