import type { Deviation } from '../../ml/contract/deviation.ts';
import type { TablePart } from '../../ml/lake/manifest.ts';
import type { Mode } from './ingestion.ts';

export type IngestTask = {
  /** YAML; null where one is to be inferred. */
  readonly contract: string | null;
  /** The id of a contract that is inferred. */
  readonly contractId: string;
  /** The state before, and where its parts lie. */
  readonly previous: { readonly manifest: string; readonly paths: Readonly<Record<string, string>> } | null;
  /** Local file with the dictionary of names; null before the first. */
  readonly identifiers: string | null;
  readonly files: readonly {
    readonly id: string;
    /** What its sender calls it. */
    readonly name: string;
    /** A local file whose name ends as its format does. */
    readonly path: string;
    readonly table: string;
    readonly mode: Mode;
    readonly sha256: string;
  }[];
  /** A folder of this task's own. */
  readonly out: string;
  /** Microseconds, on the clock of the workspace. */
  readonly now: number;
};

export type IngestResult =
  | {
      readonly kind: 'accepted';
      readonly manifest: string;
      readonly newParts: readonly TablePart[];
      /** Local file with the frozen tables. */
      readonly frozen: string;
      /** Local file with the dictionary as it is now, to be kept before the manifest is. */
      readonly identifiers: string;
      readonly report: unknown;
    }
  | { readonly kind: 'unchanged' }
  | {
      readonly kind: 'refused';
      /** The contract under which the files would do, as YAML, with what changes; null for errors in the data. */
      readonly proposal: { readonly document: string; readonly changes: readonly unknown[] } | null;
      readonly deviations: readonly FileDeviation[];
    };

export type FileDeviation = {
  readonly file_id: string;
  readonly path: string;
  readonly table: string;
  readonly rows: number;
  readonly deviations: readonly Deviation[];
};

export type NamedFiles = {
  /** What messages call each file. */
  readonly labels: readonly string[];
  /** Names the file of a finding to its sender, by id and path in place of its label. */
  identify<T extends { readonly file: string }>(finding: T): Omit<T, 'file'> & { file_id: string; path: string };
};

/** Files are called by their paths, and by their ids too where paths are the same. */
export function nameFiles(files: IngestTask['files']): NamedFiles {
  const isAlone = (name: string) => files.filter((file) => file.name === name).length === 1;
  const labels = files.map(({ name, id }) => (isAlone(name) ? name : `${name} (${id})`));
  return {
    labels,
    identify({ file, ...rest }) {
      const { id, name } = files[labels.indexOf(file)];
      return { file_id: id, path: name, ...rest };
    },
  };
}
