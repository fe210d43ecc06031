import { refuseText } from '../../errors.ts';
import { Failure } from '../../lib/failure.ts';
import type { Contract } from '../../ml/contract/contract.ts';
import { parseStoredContract } from '../../ml/contract/parse.ts';
import { requireSegments } from '../../ml/evaluation/read-segments.ts';
import { sayQuestion } from '../../ml/explain/say-question.ts';
import { parseStoredTask, parseTask } from '../../ml/tasks/parse-task.ts';
import { namesIn, resolveTask } from '../../ml/tasks/resolve.ts';
import type { Task } from '../../ml/tasks/task.ts';
import { writeQuery } from '../../ml/tasks/write-query.ts';
import type { SaidQuestions } from '../../schema/json.ts';

type Written = {
  readonly name: string;
  /** YAML, or a query. */
  readonly definition: string;
};

/** A definition as the API tells it. */
export type Told = {
  /** In the one canonical spelling; null where labels come in files. */
  readonly query: string | null;
  readonly question: SaidQuestions | null;
};

/** What a definition says, as far as the service needs to know. */
export type Definition = Told & {
  readonly kind: string;
  readonly hasTarget: boolean;
};

type WithContract = Written & {
  /** The active contract, which names the tables; null where there is none. */
  readonly contract: string | null;
};

/** Reads a definition, and holds it against the contract, if there is one. Throws Failure 'invalid_task'. */
export async function readDefinition({ name, definition, contract: text }: WithContract): Promise<Definition> {
  const contract = text === null ? null : parseStoredContract(text, 'the active contract');
  const names = contract === null ? [] : namesIn(contract);
  const task = asDefinition(() => parseTask(definition, name, 'definition', names));
  const resolved = contract === null ? task : asDefinition(() => resolveTask(task, contract, 'definition'));
  return {
    kind: task.kind,
    hasTarget: task.target !== undefined,
    query: queryOf(task),
    question: questionOf(resolved, contract),
  };
}

/** How a definition that was accepted is told; null where an older parser accepted it. */
export async function readTold({ name, definition, contract: text }: WithContract): Promise<Told> {
  try {
    const task = parseStoredTask(definition, name, 'definition');
    const contract = text === null ? null : parseStoredContract(text, 'the active contract');
    return { query: queryOf(task), question: questionOf(resolvedIn(task, contract), contract) };
  } catch (error) {
    if (error instanceof Failure) return { query: null, question: null };
    throw error;
  }
}

/** A task as its contract completes it; as it is, where it was defined under another contract. */
function resolvedIn(task: Task, contract: Contract | null): Task {
  if (contract === null) return task;
  try {
    return resolveTask(task, contract, 'definition');
  } catch (error) {
    if (error instanceof Failure) return task;
    throw error;
  }
}

function questionOf(task: Task, contract: Contract | null): SaidQuestions {
  const known = contract ?? { id: '', version: '', tables: [] };
  return { en: sayQuestion(task, known, 'en'), 'pt-BR': sayQuestion(task, known, 'pt-BR') };
}

/** The table that a definition that was accepted predicts for. Throws Failure 'invalid_task'. */
export async function readEntity(written: Written): Promise<string> {
  return readStored(written).entity;
}

/**
 * Holds columns that rows are told apart by against the active contract. Throws Failure 'invalid_task', and 'invalid'
 * of `/segments`.
 */
export async function checkSegments({
  contract,
  segments,
  ...written
}: Written & { readonly contract: string; readonly segments: readonly string[] }): Promise<void> {
  const { tables } = parseStoredContract(contract, 'the active contract');
  const task = readStored(written);
  try {
    requireSegments(tables, task, segments);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw refuseText('invalid', '/segments', error);
  }
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
