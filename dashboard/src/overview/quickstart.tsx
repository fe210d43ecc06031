import type { Schemas } from '@lastro/sdk';
import { Link, type LinkProps } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { type Permission, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { isOpen } from '../data/report.ts';
import { Section } from '../kit/page.tsx';
import { isUnderWay } from '../training-runs/use-runs.ts';
import { useWords } from '../words/words.ts';
import { overviewWords } from './words.ts';

const movingMs = 3_000;
const quietMs = 30_000;

/**
 * The way from data to a first prediction, with what of it is done. It shows until that has been asked for, alone or in a
 * batch, to those who can do some of it.
 */
export function Quickstart() {
  const w = useWords(overviewWords);
  const { client, can } = useSession();
  const mayAsk = can('invoke_predictions');
  const mayDoSome = order.some((name) => can(pages[name].permission));
  const { data } = useData(
    ['quickstart'],
    async (signal) => {
      const first = { limit: 1 } as const;
      const [predictions, batches] = await Promise.all([
        mayAsk ? client.predictions.list(first, { signal }) : null,
        can('view_batches') ? client.batches.list(first, { signal }) : null,
      ]);
      const prediction = predictions && predictions.data.length + (batches?.data.length ?? 0) > 0;
      // Most often so, and the first page waits for whatever is asked for.
      if (prediction) return through;
      const [ingestions, contracts, tasks, runs, models] = await Promise.all([
        client.ingestions.list({ limit: 20 }, { signal }),
        client.contracts.list({ limit: 20 }, { signal }),
        client.tasks.list(first, { signal }),
        client.trainingRuns.list({ limit: 20 }, { signal }),
        client.models.list({ limit: 50 }, { signal }),
      ]);
      return {
        data: ingestions.data.length > 0,
        contract: contracts.data.some(({ status }) => status === 'active'),
        // What is being trained has been said.
        task: tasks.data.length > 0 || runs.data.length > 0,
        run: runs.data.some(({ status }) => status === 'succeeded'),
        alias: models.data.some(({ aliases }) => aliases.length > 0),
        prediction,
        proposed: contracts.data.find(({ status }) => status === 'proposed')?.id ?? null,
        newestTask: tasks.data[0]?.id ?? null,
        trained:
          runs.data.find(({ status, version_id: version }) => status === 'succeeded' && version !== null) ?? null,
        isTraining: runs.data.some(isUnderWay),
        isMoving: runs.data.some(isUnderWay) || ingestions.data.some(isOpen),
      };
    },
    // With an alias all that is left is to ask, which is on another page.
    { isOn: mayDoSome, everyMs: (state) => (state?.alias ? false : state?.isMoving ? movingMs : quietMs) },
  );
  if (!data || isThrough(data)) return null;
  const steps = order.filter((name) => data[name] !== null);
  const next = steps.find((name) => !data[name]);
  return (
    <Section title={w.start} description={w.startBody} className="mb-8">
      <ol className="divide-y divide-line border-line border-y">
        {steps.map((name, at) => (
          <li key={name} className="flex items-start gap-3 py-2.5">
            <span
              aria-hidden="true"
              className={`mt-0.5 inline-flex size-5 shrink-0 items-center justify-center rounded-full border text-micro ${data[name] ? 'border-good text-good' : name === next ? 'border-ink font-semibold' : 'border-line2 text-ink3'}`}
            >
              {data[name] ? <Check size={12} /> : at + 1}
            </span>
            <span className="min-w-0 flex-1">
              {can(pages[name].permission) ? (
                <Link
                  {...placeOf(name, data)}
                  className={`rounded underline-offset-2 hover:underline ${tone(name === next, data[name])}`}
                >
                  {w.quickstart[name]}
                </Link>
              ) : (
                <span className={tone(name === next, data[name])}>{w.quickstart[name]}</span>
              )}
              <span className="block break-words text-ink3 text-meta">{w.quickHints[name]}</span>
            </span>
            <span className="shrink-0 text-ink3 text-meta">
              {data[name]
                ? w.done
                : name === 'run' && data.isTraining
                  ? w.trainingNow
                  : name === next
                    ? w.next
                    : w.later}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const order = ['data', 'contract', 'task', 'run', 'alias', 'prediction'] as const;
type StepName = (typeof order)[number];
type State = Readonly<Record<StepName, boolean | null>> & {
  readonly proposed: string | null;
  readonly newestTask: string | null;
  readonly trained: Pick<Schemas['TrainingRun'], 'model_id' | 'version_id'> | null;
};

const through = {
  ...{ data: true, contract: true, task: true, run: true, alias: true, prediction: true },
  ...{ isTraining: false, isMoving: false, proposed: null, newestTask: null, trained: null },
};

/** Those who may not ask are through when somebody else can. */
const isThrough = ({ prediction, alias }: State): boolean => (prediction === null ? alias === true : prediction);

/** Where each step is done, and by whom: to others it says how far it is. */
const pages: Readonly<Record<StepName, { readonly to: LinkProps['to']; readonly permission: Permission }>> = {
  data: { to: '/data/send', permission: 'upload_files' },
  contract: { to: '/data', permission: 'upload_files' },
  task: { to: '/tasks/new', permission: 'manage_aliases' },
  run: { to: '/training-runs', permission: 'manage_aliases' },
  alias: { to: '/models', permission: 'manage_aliases' },
  prediction: { to: '/playground', permission: 'invoke_predictions' },
};

/** The page on which a step is done, where there is something on it already what that is about. */
function placeOf(name: StepName, { contract, proposed, newestTask, trained }: State): LinkProps {
  if (name === 'contract' && !contract && proposed !== null)
    return { to: '/data/contracts/$contract_id', params: { contract_id: proposed }, search: {} };
  if (name === 'run' && newestTask !== null) return { to: '/training-runs', search: { start: newestTask } };
  if (name === 'alias' && trained?.model_id && trained.version_id)
    return {
      to: '/models/$model_id/versions/$version_id',
      params: { model_id: trained.model_id, version_id: trained.version_id },
      search: {},
    };
  return { to: pages[name].to };
}

const tone = (isNext: boolean, isDone: boolean | null): string =>
  isNext ? 'font-semibold' : isDone ? 'text-ink2' : '';
