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
