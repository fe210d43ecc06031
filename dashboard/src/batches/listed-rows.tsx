import type { ReactNode } from 'react';
import { useSession } from '../api/session.tsx';
import { Refusal, Skeleton, useRolesWith } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Listed, rowsShownMax } from './failed-rows.ts';
import { batchWords } from './words.ts';

/** Rows of a batch with something to correct, or why they are not shown. `lead`: what is said of them before. */
export function ListedRows<T extends object>({
  found,
  lead,
  ...table
}: {
  readonly found: { readonly data: Listed<T> | undefined; readonly isError: boolean; readonly error: unknown };
  lead?(rows: readonly T[]): ReactNode;
  readonly label: string;
  readonly columns: readonly Column<T>[];
  keyOf(row: T): string;
  readonly height: string;
}) {
  const w = useWords(batchWords);
  const c = useWords(common);
  const format = useFormat();
  const { can } = useSession();
  const roles = useRolesWith('download_results');
  if (!can('download_results')) return <p className="text-ink2">{c.noPermissionAction(roles)}</p>;
  if (found.isError) return <Refusal error={found.error} />;
  if (!found.data) return <Skeleton />;
  const { rows, isWhole } = found.data;
  return (
    <div className="flex flex-col gap-3">
      {lead?.(rows)}
      {!isWhole && <p className="text-ink2 text-meta">{w.firstShown(format.integer(rowsShownMax))}</p>}
      <Table {...table} rows={rows} />
    </div>
  );
}
