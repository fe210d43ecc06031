import { refuseText } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';
import { parseStoredTask, parseTask } from '../../ml/tasks/parse-task.ts';
import { resolveTask } from '../../ml/tasks/resolve.ts';
import type { Task } from '../../ml/tasks/task.ts';
import { writeQuery } from '../../ml/tasks/write-query.ts';

type Written = {
  readonly name: string;
  /** YAML, or a query. */
  readonly definition: string;
};

/** What a definition says, as far as the service needs to know. */
export type Definition = {
  readonly kind: string;
  readonly hasTarget: boolean;
  /** In the one canonical spelling; null where labels come in files. */
  readonly query: string | null;
};

/** Reads a definition, and holds it against the contract, if there is one. Throws Failure 'invalid_task'. */
export async function readDefinition({
  name,
  definition,
  contract,
}: Written & { readonly contract: string | null }): Promise<Definition> {
  const task = asDefinition(() => parseTask(definition, name, 'definition'));
  if (contract !== null)
    asDefinition(() => resolveTask(task, parseStoredContract(contract, 'the active contract'), 'definition'));
  return { kind: task.kind, hasTarget: task.target !== undefined, query: queryOf(task) };
}

/** The query of a definition that was accepted; null where it has none, or an older parser accepted it. */
export async function readQuery({ name, definition }: Written): Promise<string | null> {
  try {
    return queryOf(parseStoredTask(definition, name, 'definition'));
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** The table that a definition that was accepted predicts for. Throws Failure 'invalid_task'. */
export async function readEntity(written: Written): Promise<string> {
  return readStored(written).entity;
}

/** Reads a definition that was accepted. Throws Failure 'invalid_task' when it can no longer be read. */
export function readStored({ name, definition }: Written): Task {
  return asDefinition(() => parseStoredTask(definition, name, 'definition'));
}

/** Reads a definition; what is wrong with it is told of the field that holds it. */
function asDefinition(read: () => Task): Task {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw refuseText('invalid_task', '/definition', error);
  }
}

function queryOf({ target, ...task }: Task): string | null {
  return target && !task.heads ? writeQuery({ ...task, target }) : null;
}
