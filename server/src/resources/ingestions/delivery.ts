import type { Deviation } from '../../ml/contract/deviation.ts';
import type { Notice } from '../../ml/contract/notices.ts';
import type { TablePart } from '../../ml/lake/manifest.ts';
import type { Mode } from './ingestion.ts';
import type { ToldWarnings } from './notices.ts';

export type IngestTask = {
  /** The active contract as YAML; null when a contract is to be inferred. */
  readonly contract: string | null;
  /** The id to give an inferred contract. */
  readonly contractId: string;
  /** The zone on whose clocks an inferred contract has instants read. */
  readonly timeZone: string;
  /** Whether files that ask for another version of the contract are tried under it, to tell what else is wrong. */
  readonly triesProposal: boolean;
  /** The manifest of the current snapshot, and the local path of each of its parts. */
  readonly previous: { readonly manifest: string; readonly paths: Readonly<Record<string, string>> } | null;
  /** Local file with the dictionary of names; null before the first ingestion. */
  readonly identifiers: string | null;
  readonly files: readonly {
    readonly id: string;
    /** The path under which the sender declared the file. */
    readonly name: string;
    /** A local file whose name has the ending of its format. */
    readonly path: string;
    readonly table: string;
    readonly mode: Mode;
    readonly sha256: string;
  }[];
  /** Files of parts that must be read again. */
  readonly originals: readonly {
    readonly id: string;
    readonly name: string;
    /** As of `files`. */
    readonly path: string;
    /** The path of the part in the manifest, and the SHA-256 of the file. */
    readonly part: string;
    readonly sha256: string;
    /** When the file was taken in, in microseconds as `now`. */
    readonly taken: number;
  }[];
  /** A folder that belongs to this task. */
  readonly out: string;
  /** The creation time of the ingestion as local time of the workspace, in microseconds. */
  readonly now: number;
};

export type IngestResult =
  | {
      readonly kind: 'accepted';
      readonly manifest: string;
      readonly newParts: readonly TablePart[];
      /** Local file with the frozen tables of the new snapshot, and its SHA-256. */
      readonly frozen: { readonly path: string; readonly sha256: string };
      /** Local file with the new dictionary, and its SHA-256. It must be stored before the manifest is. */
      readonly identifiers: { readonly path: string; readonly sha256: string };
      readonly report: AcceptedReport;
    }
  | { readonly kind: 'unchanged'; readonly report: object }
  | {
      readonly kind: 'refused';
      /**
       * The contract under which the files would be accepted, as YAML, with its changes; null for errors in the data.
       */
      readonly proposal: ProposedContract | null;
      readonly deviations: readonly FileDeviation[];
    };

/** What an ingestion reports of the data, with what it warns of. */
export type AcceptedReport = ToldWarnings & { readonly [part: string]: unknown };

export type ProposedContract = {
  readonly document: string;
  readonly changes: readonly unknown[];
  /** What whoever accepts it should know. */
  readonly warnings: readonly Notice[];
};

export type FileDeviation = {
  readonly file_id: string;
  readonly path: string;
  readonly table: string;
  readonly rows: number;
  readonly deviations: readonly Deviation[];
};

export type NamedFiles = {
  /** The name of each file in messages. */
  readonly labels: readonly string[];
  /** Replaces the label of a finding's file by the file's id and path. */
  identify<T extends { readonly file: string }>(finding: T): Omit<T, 'file'> & { file_id: string; path: string };
};

/** Labels files by their paths, and adds the ids where several files have the same path. */
export function nameFiles(files: readonly { readonly id: string; readonly name: string }[]): NamedFiles {
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

/** What deviates by two checks of the same files, by file; what both found is told once. */
export function joinDeviations(one: readonly FileDeviation[], other: readonly FileDeviation[]): FileDeviation[] {
  const found = new Map(one.map((file) => [placeOf(file), file]));
  for (const file of other) {
    const known = found.get(placeOf(file));
    const isTold = ({ rule, column }: Deviation) =>
      known?.deviations.some((told) => told.rule === rule && told.column === column);
    const more = file.deviations.filter((deviation) => !isTold(deviation));
    const rows = Math.max(file.rows, known?.rows ?? 0);
    found.set(placeOf(file), { ...file, rows, deviations: [...(known?.deviations ?? []), ...more] });
  }
  return [...found.values()];
}

const placeOf = ({ file_id, table }: FileDeviation): string => JSON.stringify([file_id, table]);
