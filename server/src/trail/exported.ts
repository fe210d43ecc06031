import { csvLine } from '../lib/files/csv-line.ts';
import type { StoredEntry } from './leaf.ts';
import type { Leaf } from './leaves.ts';

/** A leaf as an export has it; `leaf_index` is null for an entry that is not sealed. */
export type ExportedLeaf = {
  readonly leaf_index: number | null;
  /** Hex. */
  readonly leaf_hash: string | null;
  /** Null when it is gone with its month. */
  readonly entry: StoredEntry | null;
};

export const exportFormats = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof exportFormats)[number];

const columns = [
  ...(['id', 'recorded_at', 'organization_id', 'workspace_id', 'action', 'outcome', 'actor_type', 'actor_id'] as const),
  ...(['actor_label', 'target_type', 'target_id', 'channel', 'ip', 'user_agent', 'request_id'] as const),
];

/** The first line of an export; none in NDJSON. */
export function exportHead(format: ExportFormat): string {
  return format === 'csv' ? csvLine(['leaf_index', ...columns, 'data', 'record']) : '';
}

/**
 * A leaf as a line of an export. In NDJSON it is the leaf itself; a line of CSV has that as its last cell, and the
 * others are made of it for people and their tools.
 */
export function exportLine(format: ExportFormat, leaf: ExportedLeaf): string {
  const record = JSON.stringify(leaf);
  if (format === 'ndjson') return `${record}\n`;
  const { leaf_index, entry } = leaf;
  const cells = columns.map((column) => entry?.[column] ?? null);
  const index = leaf_index === null ? null : String(leaf_index);
  return csvLine([index, ...cells, entry === null ? null : JSON.stringify(entry.data), record]);
}

/** A leaf in the form of an export. */
export function exportedLeaf({ leaf_index, leaf_hash, entry }: Leaf): ExportedLeaf {
  return { leaf_index, leaf_hash: leaf_hash.toString('hex'), entry };
}

/** What comes with the entries of an export, for who verifies them without the service. */
export type Manifest = {
  readonly format: 'lastro-audit-export';
  readonly version: 1;
  readonly export_id: string;
  readonly tree: string;
  readonly organization_id: string;
  readonly workspace_id: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly entries: {
    /** The name of the file beside the manifest. */
    readonly file: string;
    readonly format: ExportFormat;
    readonly bytes: number;
    readonly sha256: string;
    /** The leaves from `first_index` to before `end_index`. */
    readonly first_index: number;
    readonly end_index: number;
    /** Entries after the leaves that have none. */
    readonly unsealed: number;
  };
  /** The roots, in hex, of the perfect subtrees that the leaves before `first_index` are made of. */
  readonly before: readonly string[];
  /** Signed notes, the oldest first: those at both ends, and some between. */
  readonly checkpoints: readonly string[];
  /** Signed notes about leaves whose entries were dropped by retention. */
  readonly tombstones: readonly string[];
  readonly public_key: string;
};
