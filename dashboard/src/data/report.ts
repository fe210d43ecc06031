import type { Schemas } from '@lastro/sdk';
import type { Format } from '../words/format.ts';
import { sayIngestPhase } from './ingest-phases.ts';

export type Ingestion = Schemas['Ingestion'];
type Contract = Schemas['Contract'];

/** The report of an ingestion, as its description in the API says. */
export type Report = {
  readonly files?: readonly ReportFile[];
  readonly changes?: readonly TableChange[];
  readonly tables?: readonly TableReport[];
  readonly warnings?: readonly string[];
  /** At the same places what the warnings say; reports of before these were told have none. */
  readonly warning_codes?: readonly Notice[];
  /** The newest day with an event (null: none), and the most days from one such day to the next. */
  readonly event_days?: { readonly newest: string | null; readonly silence_max: number };
  readonly reread?: readonly unknown[];
  readonly reread_ingestion_id?: string;
};

export type ReportFile = {
  readonly file_id: string;
  readonly path: string;
  readonly table: string;
  readonly mode: string;
  readonly rows: number;
  readonly added: number;
  readonly changed: number;
  readonly identical: number;
  readonly rejected: number;
  readonly notes: readonly string[];
  readonly note_codes?: readonly Notice[];
  readonly warnings: readonly Schemas['Deviation'][];
};

/** What was noticed: a code, and the values that its sentence names. */
export type Notice = { readonly code: string; readonly [value: string]: unknown };

/** Null where rows cannot be compared by key. */
export type TableChange = {
  readonly table: string;
  readonly before: number;
  readonly after: number;
  readonly added: number | null;
  readonly changed: number | null;
  readonly removed: number | null;
  readonly identical: number | null;
  readonly notes: readonly string[];
  readonly note_codes?: readonly Notice[];
};

export type TableReport = {
  readonly table: string;
  readonly rows: number;
  /** Wall-clock times of the workspace. */
  readonly from: string | null;
  readonly until: string | null;
  readonly months: readonly { readonly month: string; readonly rows: number }[];
  readonly columns: readonly { readonly name: string; readonly type: string; readonly present: number }[];
};

/** The API describes reports in words; what pages read of them is this. */
export const reportOf = ({ report }: Ingestion): Report => (report ?? {}) as Report;

/** What an ingestion does, in the language of the page; null where it has not said so yet. */
export function phaseOf({ progress }: Pick<Ingestion, 'progress'>, format: Format): string | null {
  const { phase } = (progress ?? {}) as { readonly phase?: unknown };
  return typeof phase === 'string' ? sayIngestPhase(phase, format) : null;
}

export const isOpen = ({ status }: Ingestion): boolean => status === 'queued' || status === 'running';

export type Change = {
  readonly path: string;
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before: unknown;
  readonly after: unknown;
  readonly breaking: boolean;
};

/** Of a contract that was read off the first files: what was found, and why. */
export type Guess = {
  readonly table: string;
  readonly column: string | null;
  readonly kind: string;
  readonly value: string;
  readonly confidence: string;
  /** Whether it is in the contract; contracts proposed before it was told have it not. */
  readonly applied?: boolean;
  readonly reason: string;
  /** The same as codes with their values; contracts proposed before these were told have none. */
  readonly because?: readonly { readonly code: string; readonly [value: string]: unknown }[];
  /** What was seen of its column, with values of it that may be told; contracts proposed before it was told have none. */
  readonly seen?: {
    readonly column: string;
    readonly rows: number;
    readonly filled: number;
    readonly distinct: number;
    readonly examples: readonly string[];
  } | null;
};

export function changesOf(changes: readonly unknown[]): readonly Change[] {
  return changes.filter(
    (one): one is Change => typeof one === 'object' && one !== null && 'kind' in one && 'before' in one,
  );
}

/** What a contract takes away from files and models of the one before it; nothing of a first contract. */
export function breakingOf({ base_id, changes }: Pick<Contract, 'base_id' | 'changes'>): readonly Change[] {
  return base_id === null ? [] : changesOf(changes).filter(({ breaking }) => breaking);
}

const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'date', 'timestamp', 'time']);

/** Whether rows or values go with a change: a table or a column is removed, of which what it was is told by its type. */
export function isLoss({ kind, path, before }: Change): boolean {
  return kind === 'removed' && (!path.includes('.') || types.has(before));
}

export function guessesOf(changes: readonly unknown[]): readonly Guess[] {
  return changes.filter(
    (one): one is Guess => typeof one === 'object' && one !== null && 'reason' in one && 'confidence' in one,
  );
}
