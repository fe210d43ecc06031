import type { Schemas } from '@lastro/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useData, useKey } from '../api/use-data.ts';

export type Run = Schemas['TrainingRun'];

export const isUnderWay = ({ status }: Pick<Run, 'status'>): boolean => status === 'queued' || status === 'running';

/** The alias that a run has moved, or will: of one that came to nothing there is none, nor where it stayed. */
export const aliasOf = ({ alias, status, warnings }: Pick<Run, 'alias' | 'status' | 'warnings'>): string | null =>
  status === 'failed' || status === 'interrupted' || warnings.some(({ code }) => stays.has(code)) ? null : alias;

/** Warnings that the alias of a run was not moved. */
const stays: ReadonlySet<string> = new Set(['alias_held_back', 'inputs_changed']);

/** The columns and tables for which a run was refused, as they give the answer away. */
export function leaksOf({ failure }: Pick<Run, 'failure'>): readonly string[] {
  const { code, names } = (failure?.because ?? {}) as { readonly code?: unknown; readonly names?: unknown };
  // Runs of before do not name them.
  return code === 'leakage' && Array.isArray(names) ? names.map(String) : [];
}

/** A run as it is, told anew whenever it changes; what of it was seen when. */
export function useRun(id: string) {
  const client = useClient();
  const queries = useQueryClient();
  const [scope] = useKey([]);
  const run = useData(['training-runs', id], (signal) => client.trainingRuns.get(id, {}, { signal }));
  const isOpen = run.data !== undefined && isUnderWay(run.data);
  useEffect(() => {
    if (!isOpen) return;
    const ended = new AbortController();
    const follow = async () => {
      for await (const now of client.trainingRuns.stream(id, { signal: ended.signal }))
        queries.setQueryData([scope, 'training-runs', id], now);
      // It has ended: lists and models have something new.
      await Promise.all(
        ['training-runs', 'models'].map((noun) => queries.invalidateQueries({ queryKey: [scope, noun] })),
      );
    };
    follow().catch(() => {
      // The stream is over for good, such as by leaving the page or a right that ended; the answer says why.
      if (!ended.signal.aborted) void queries.invalidateQueries({ queryKey: [scope, 'training-runs', id] });
    });
    return () => ended.abort();
  }, [isOpen, client, id, queries, scope]);
  return run;
}

export type SeenPhase = { readonly phase: string; readonly fromMs: number };

/** The phases that went by while the page was open, each with when it was first seen. */
export function useSeenPhases(run: Run | undefined): readonly SeenPhase[] {
  const [seen, setSeen] = useState<readonly SeenPhase[]>([]);
  const phase = run?.phase ?? null;
  useEffect(() => {
    if (phase !== null)
      setSeen((before) => (before.at(-1)?.phase === phase ? before : [...before, { phase, fromMs: Date.now() }]));
  }, [phase]);
  return seen;
}

/** The time now, again each second while `isOn`. */
export function useNow(isOn: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isOn]);
  return now;
}

/** Milliseconds from start to end; null while it is not over. */
export function tookMs({ started_at: from, finished_at: to }: Run): number | null {
  return from && to ? Date.parse(to) - Date.parse(from) : null;
}
