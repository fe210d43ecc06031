// What the JSON columns hold that are read back here. It goes in as text; the database says only that it is JSON, so
// that these types hold because nobody else writes the tables.
import type { ColumnType } from 'kysely';

/** Written as text, read as the value that it stands for. */
export type JsonColumn<T> = ColumnType<T, string, string>;

/** SHA-256 of each file of a version, by name. */
export type FileHashes = Readonly<Record<string, string>>;

/** Why a job came to nothing, as the API shows it. */
export type Failed = {
  readonly code: string;
  readonly detail: string;
  readonly because?: { readonly code: string };
};

/** An input by which callers of one version would be refused by another. */
export type InputChange = {
  readonly name: string;
  readonly change: 'removed' | 'required' | 'type' | 'range';
  readonly message: string;
};

/** What a person should look at before trusting a model. */
export type ModelWarning = {
  readonly code: string;
  readonly message: string;
  readonly output?: string;
  /** What an implausibly good model rests on, with its share of the gain. */
  readonly carriers?: readonly {
    readonly at: string;
    readonly importance: number;
    readonly description: string | null;
  }[];
  /** Why an alias was not moved. */
  readonly inputs?: readonly InputChange[];
};

/** What a version must have passed before an alias is moved to it; what is not named is as by default. */
export type GatePolicy = {
  readonly checks: Readonly<
    Record<string, { readonly threshold?: number; readonly required?: boolean; readonly must_tell?: boolean }>
  >;
  /** How many other people must have approved it. */
  readonly approvals: number;
  /** Whether the alias of a training run moves by itself. */
  readonly automatic: boolean;
  /** Columns that validations tell rows apart by unless they name others; absent: none. */
  readonly segments?: readonly string[];
};

/** What a notification says, by language. */
export type SaidNotification = Readonly<Record<'en' | 'pt-BR', { readonly title: string; readonly body: string }>>;

/** What a task asks, in words, by language; `outputs`: what each number of an answer says. */
export type SaidQuestions = Readonly<
  Record<
    'en' | 'pt-BR',
    {
      readonly sentence: string;
      readonly outputs: readonly { readonly name: string; readonly meaning: string }[];
    }
  >
>;

/** The files that a task learns its labels from. */
export type LabelFiles = { readonly train?: string; readonly validation?: string };

/** A file of an ingestion as it was asked for. */
export type IngestionFile = {
  readonly file_id: string;
  readonly table: string;
  readonly mode: 'append' | 'upsert' | 'replace';
};

/** What somebody sent to find their things by. */
export type Metadata = Readonly<Record<string, unknown>>;

/** What an erasure removed. */
export type Erased = {
  /** Entries of the dictionary of names. */
  readonly identifiers: number;
  /** Answered predictions, whose questions and answers are gone. */
  readonly predictions: number;
  /** Uploaded files that named the identifier, whose bytes are gone. */
  readonly files: readonly string[];
  /** Files with labels of tasks, kept without the rows that named it. */
  readonly label_files: readonly string[];
  /** Older states of the tables that kept the name as text, whose rows are gone. */
  readonly snapshots: readonly string[];
  /** Batches over such files, whose results are gone. */
  readonly batches: readonly string[];
  /** Evaluations of such files, or that told the identifier as the value of a segment, whose results are gone. */
  readonly evaluations: readonly string[];
};

/** What a replay answers again: predictions by id, or those of a span whose ids lie between two; or a batch. */
export type ReplayAsked = {
  readonly ids?: readonly string[];
  /** RFC 3339. */
  readonly from?: string;
  readonly to?: string;
  readonly model_id?: string;
  readonly version_id?: string;
  readonly batch_id?: string;
};

/** How many predictions or rows of a batch could not be replayed, by what is gone. */
export type ReplayGone = {
  /** Erased on request. */
  readonly erased?: number;
  /** Removed meanwhile, as old as predictions are kept. */
  readonly expired?: number;
  readonly version?: number;
  readonly snapshot?: number;
  /** The input file of a batch. */
  readonly file?: number;
  /** Stored bytes that are missing or damaged. */
  readonly stored?: number;
  /** Of a part of a batch that was interrupted, which is not scored as a whole. */
  readonly interrupted?: number;
};

/** A prediction or a row of a batch that is answered otherwise now: where, and no values. */
export type ReplayDifference = {
  readonly prediction_id?: string;
  /** Of a batch: the file's id, and the row of its result, from 1; null where no row differs and the bytes do. */
  readonly file_id?: string;
  readonly row?: number | null;
  /** JSON Pointers; of a batch the columns. */
  readonly paths: readonly string[];
};

/** By how much a score must differ to have moved: in its own unit, or as a share of what it was. */
export type MoveThreshold = { readonly difference: number } | { readonly share: number };

/** A score of a watched entity, and the moment that it is as of. */
export type ScorePoint = { readonly at: string; readonly score: number };
