import type { Page } from '@lastro/sdk';
import type { ReactNode } from 'react';
import { useData, useList } from '../api/use-data.ts';
import { Progress } from '../kit/status.tsx';
import { useFormat } from '../words/format.ts';

type Job = { readonly id: string; readonly status: string };
type Asked = { readonly limit: number; readonly cursor?: string };

const pageSize = 20;
const everyMs = 2_000;

export function isUnderWay({ status }: Pick<Job, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

/**
 * Jobs about a version, newest first, and the one that is shown: the one with the id `chosen`, or else the newest. They
 * are asked for again while they are under way. `readOne` returns null for one of another version.
 */
export function useJobs<T extends Job>(
  key: readonly string[],
  chosen: string | undefined,
  readPage: (asked: Asked, options: { readonly signal: AbortSignal }) => Promise<Page<T>>,
  readOne: (id: string, options: { readonly signal: AbortSignal }) => Promise<T | null>,
) {
  const list = useList(
    key,
    (cursor, signal) => readPage({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
    { everyMs: (rows) => (rows.some(isUnderWay) ? everyMs : false) },
  );
  const listed = list.rows.find(({ id }) => id === chosen);
  // An address may name one that is beyond what has been listed.
  const older = useData([...key, chosen], (signal) => readOne(chosen!, { signal }), {
    isOn: chosen !== undefined && list.isSuccess && !listed,
    everyMs: (one) => (one && isUnderWay(one) ? everyMs : false),
  });
  return {
    list,
    shown: listed ?? older.data ?? list.rows[0],
    isLoading: list.isPending || older.isLoading,
  };
}

/** How much of a job is done. */
export function JobProgress({ fraction, label }: { readonly fraction: number; readonly label: string }) {
  const format = useFormat();
  return (
    <div className="w-full">
      <p aria-live="polite" className="mb-1 font-semibold text-title">
        {format.percent(Math.floor(100 * fraction) / 100)}
      </p>
      <Progress share={fraction} label={label} />
    </div>
  );
}

/** Shows a job of the list. */
export function JobButton({
  isShown,
  onClick,
  children,
}: {
  readonly isShown: boolean;
  onClick(): void;
  readonly children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-current={isShown || undefined}
      className={`py-1 text-left text-accent underline underline-offset-2 ${isShown ? 'font-medium' : ''}`}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
