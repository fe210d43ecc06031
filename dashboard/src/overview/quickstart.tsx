import { Link, type LinkProps } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Section } from '../kit/page.tsx';
import { useWords } from '../words/words.ts';
import { overviewWords } from './words.ts';

const pollMs = 3_000;

/** The way from data to a first prediction, with what of it is done. It shows until that has been asked for. */
export function Quickstart() {
  const w = useWords(overviewWords);
  const { client, can } = useSession();
  const mayAsk = can('invoke_predictions');
  const { data } = useData(
    ['quickstart'],
    async (signal) => {
      const first = { limit: 1 } as const;
      const [ingestions, contracts, tasks, runs, models, predictions] = await Promise.all([
        client.ingestions.list({ limit: 20 }, { signal }),
        client.contracts.list({ limit: 20 }, { signal }),
        client.tasks.list(first, { signal }),
        client.trainingRuns.list({ limit: 20 }, { signal }),
        client.models.list({ limit: 50 }, { signal }),
        mayAsk ? client.predictions.list(first, { signal }) : null,
      ]);
      return {
        data: ingestions.data.length > 0,
        contract: contracts.data.some(({ status }) => status === 'active'),
        task: tasks.data.length > 0,
        run: runs.data.some(({ status }) => status === 'succeeded'),
        alias: models.data.some(({ aliases }) => aliases.length > 0),
        prediction: predictions === null ? null : predictions.data.length > 0,
      };
    },
    { everyMs: (state) => (state && isThrough(state) ? false : pollMs) },
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
              <Link
                to={pages[name]}
                className={`rounded underline-offset-2 hover:underline ${name === next ? 'font-semibold' : data[name] ? 'text-ink2' : ''}`}
              >
                {w.quickstart[name]}
              </Link>
              <span className="block break-words text-ink3 text-meta">{w.quickHints[name]}</span>
            </span>
            <span className="shrink-0 text-ink3 text-meta">
              {data[name] ? w.done : name === next ? w.next : w.later}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

const order = ['data', 'contract', 'task', 'run', 'alias', 'prediction'] as const;
type StepName = (typeof order)[number];
type State = Readonly<Record<StepName, boolean | null>>;

/** Those who may not ask are through when somebody else can. */
const isThrough = ({ prediction, alias }: State): boolean => (prediction === null ? alias === true : prediction);

const pages: Readonly<Record<StepName, LinkProps['to']>> = {
  data: '/data/send',
  contract: '/data',
  task: '/tasks/new',
  run: '/training-runs',
  alias: '/models',
  prediction: '/playground',
};
