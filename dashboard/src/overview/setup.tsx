import type { Schemas } from '@lastro/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useSession } from '../api/session.tsx';
import { useData, useKey } from '../api/use-data.ts';
import { sayIngestPhase } from '../data/ingest-phases.ts';
import { Panel } from '../kit/page.tsx';
import { Progress, Status } from '../kit/status.tsx';
import { sayPhase } from '../training-runs/phases.ts';
import { runWords } from '../training-runs/words.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { overviewWords } from './words.ts';

type Step = Schemas['SetupStep'];

const pollMs = 1_500;
const isOpen = ({ status }: Step): boolean => status === 'waiting' || status === 'running';

/** What the service makes in the demo by itself, while it does. Nothing shows once all is there. */
export function Setup() {
  const w = useWords(overviewWords);
  const format = useFormat();
  const { client, can } = useSession();
  const queries = useQueryClient();
  const [scope] = useKey([]);
  const { data } = useData(['setup-steps'], (signal) => client.setupSteps.list({ signal }), {
    everyMs: (steps) => (steps?.data.some(isOpen) ? pollMs : false),
  });
  const steps = data?.data ?? [];
  const ready = steps.filter(({ status }) => status === 'ready').length;
  const before = useRef<number>(undefined);
  // What a step has made shows elsewhere on the page, too; what was made before was asked for with the page.
  useEffect(() => {
    if (!data) return;
    const isMore = before.current !== undefined && ready !== before.current;
    before.current = ready;
    if (!isMore) return;
    for (const noun of ['models', 'predictions', 'ingestions', 'events'])
      void queries.invalidateQueries({ queryKey: [scope, noun] });
  }, [data, ready, queries, scope]);
  const hasFailed = steps.some(({ status }) => status === 'failed');
  if (!steps.some(isOpen) && !hasFailed) return null;
  return (
    <Panel className="mb-6 p-4">
      <section aria-label={w.setup}>
        <h2 className="font-semibold text-section">{steps.some(isOpen) ? w.setup : w.setupFailed}</h2>
        <p className="mb-2 text-ink2" aria-live="polite">
          {steps.some(isOpen) ? w.setupDone(format.integer(ready), format.integer(steps.length)) : w.failedHint}
        </p>
        <ul className="grid gap-x-10 sm:grid-cols-2">
          {steps.map((step) => (
            <StepLine key={step.step} step={step} canTry={can('invoke_predictions')} canLook={can('view_models')} />
          ))}
        </ul>
      </section>
    </Panel>
  );
}

function StepLine({
  step: { step, status, phase, fraction, detail, model_id: model, training_run_id: run },
  canTry,
  canLook,
}: {
  readonly step: Step;
  readonly canTry: boolean;
  readonly canLook: boolean;
}) {
  const w = useWords(overviewWords);
  const format = useFormat();
  const ofRun = useWords(runWords);
  const said = phase && (run === null ? sayIngestPhase(phase, format) : sayPhase(phase, ofRun, format));
  const name = (w.steps as Readonly<Record<string, string>>)[step] ?? step;
  const link = 'shrink-0 rounded text-accent underline underline-offset-2';
  return (
    <li className="border-line border-b py-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 truncate">{name}</span>
        <span className="flex shrink-0 items-baseline gap-3 text-meta">
          {status === 'running' && fraction !== null && <span>{format.percent(fraction)}</span>}
          {status === 'ready' && model && canTry ? (
            <Link to="/playground" search={{ model }} className={link} aria-label={`${w.tryIt}: ${name}`}>
              {w.tryIt}
            </Link>
          ) : (
            status === 'ready' &&
            step === 'data' &&
            canLook && (
              <Link to="/data" className={link} aria-label={`${w.look}: ${name}`}>
                {w.look}
              </Link>
            )
          )}
          <Status of={status} />
        </span>
      </div>
      {status === 'running' && (
        <div className="mt-1">
          <Progress share={fraction} label={name} />
          {said && <p className="mt-0.5 truncate text-ink3 text-micro">{said}</p>}
        </div>
      )}
      {status === 'failed' && detail && <p className="break-words text-bad text-meta">{detail}</p>}
    </li>
  );
}
