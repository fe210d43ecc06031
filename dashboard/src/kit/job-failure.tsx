import type { Schemas } from '@lastro/sdk';
import { Why } from './states.tsx';

/** Why a job has failed. */
export function JobFailure({
  title,
  of: { code, because, detail },
}: {
  readonly title: string;
  readonly of: NonNullable<Schemas['Backtest']['failure']>;
}) {
  return (
    <div role="alert" className="rounded-[6px] border border-bad/30 bg-bad-soft px-3 py-2">
      <p className="font-medium">{title}</p>
      <Why code={code} because={because}>
        {detail}
      </Why>
    </div>
  );
}
