import type { Schemas } from '@lastro/sdk';
import { lazy, Suspense } from 'react';
import { Skeleton } from '../kit/states.tsx';
import { importPart } from '../shell/new-build.ts';

/** Loaded where there is something to warn of: it holds the words of all warnings. */
const WarningList = lazy(async () => ({ default: (await importPart(() => import('./warning-list.tsx'))).WarningList }));

/** What a person should look at, as `WarningList`. */
export function Warnings(given: {
  readonly warnings: readonly Schemas['ModelWarning'][];
  readonly metrics: unknown;
  readonly taskId?: string | null;
  readonly isBelowVerdicts?: boolean;
}) {
  return (
    <Suspense fallback={<Skeleton />}>
      <WarningList {...given} />
    </Suspense>
  );
}
