import { refuseText } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';
import { parseTask } from '../../ml/tasks/parse-task.ts';
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
  /** The table to predict for. */
  readonly entity: string;
  readonly hasTarget: boolean;
  /** In the one canonical spelling; null where labels come in files. */
  readonly query: string | null;
  /** Fields that are not known, at most `warningsMax`. */
  readonly warnings: readonly string[];
};

const warningsMax = 50;

/** Reads a definition, and holds it against the contract, if there is one. Throws Failure 'invalid_task'. */
export async function readDefinition({
  name,
  definition,
  contract,
}: Written & { readonly contract: string | null }): Promise<Definition> {
  const warnings: string[] = [];
  const task = parseDefinition({ name, definition }, contract, warnings);
  const { kind, entity, target } = task;
  const asked = parseTask(definition, name, 'definition');
  return {
    ...{ kind, entity, hasTarget: target !== undefined, query: queryOf(asked) },
    warnings: warnings.slice(0, warningsMax),
  };
}

/** The query of a definition that was accepted; null where it has none, or an older parser accepted it. */
export async function readQuery({ name, definition }: Written): Promise<string | null> {
  try {
    return queryOf(parseTask(definition, name, 'definition'));
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}

/** Parses a definition; with a contract, also resolves the task against it. Throws Failure 'invalid_task'. */
export function parseDefinition({ name, definition }: Written, contract: string | null, warnings: string[]): Task {
  try {
    const task = parseTask(definition, name, 'definition', warnings);
    return contract === null
      ? task
      : resolveTask(task, parseStoredContract(contract, 'the active contract'), 'definition');
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw refuseText('invalid_task', '/definition', error);
  }
}

function queryOf({ target, ...task }: Task): string | null {
  return target && !task.heads ? writeQuery({ ...task, target }) : null;
}
