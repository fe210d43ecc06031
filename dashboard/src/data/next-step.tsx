import { Link, type LinkProps } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { useModelList } from '../models/use-models.ts';
import { usualModel } from '../models/usual-model.ts';
import { useTaskList } from '../tasks/use-question.ts';
import { useWords } from '../words/words.ts';
import { ingestionWords } from './ingestion-words.ts';

/**
 * What data that came in are for: a first question, a training of it, or a model that answers, to be asked and, where
 * the data have changed, trained again. Before all of these a training that failed last: data often come to mend it.
 */
export function NextStep({ isChanged }: { readonly isChanged: boolean }) {
  const w = useWords(ingestionWords);
  const { can, workspace } = useSession();
  const isOn = can('view_models');
  const models = useModelList(isOn);
  const tasks = useTaskList(isOn);
  const client = useClient();
  const runs = useData(['training-runs', 'newest'], (signal) => client.trainingRuns.list({ limit: 1 }, { signal }), {
    isOn,
  });
  if (!models.data || !tasks.data || !runs.data || !workspace) return null;
  const [newest] = runs.data.data;
  const failed = newest?.status === 'failed' ? tasks.data.data.find(({ id }) => id === newest.task_id) : undefined;
  const answering = models.data.data.filter(({ aliases }) => aliases.length > 0);
  const model = usualModel(answering, workspace.id);
  const [task] = tasks.data.data;
  const canTrain = can('manage_aliases');
  const again = failed && {
    to: '/training-runs' as const,
    search: { start: failed.id, ...(newest?.alias && { alias: newest.alias }) },
    label: w.trainFailed(failed.name),
  };
  const steps: readonly (Pick<LinkProps, 'to' | 'search'> & { readonly label: string })[] = model
    ? [
        ...(canTrain && again
          ? [again]
          : canTrain && isChanged
            ? [{ to: '/training-runs' as const, search: { start: model.task_id }, label: w.trainAgain(model.name) }]
            : []),
        ...(can('invoke_predictions')
          ? [{ to: '/playground' as const, search: { model: model.id }, label: w.askModel(model.name) }]
          : []),
      ]
    : !canTrain
      ? []
      : again
        ? [again]
        : task
          ? [{ to: '/training-runs', search: { start: task.id }, label: w.trainTask(task.name) }]
          : [{ to: '/tasks/new', label: w.firstTask }];
  return (
    steps.length > 0 && (
      <p>
        {w.next}{' '}
        {steps.map(({ label, ...link }, at) => (
          <Fragment key={label}>
            {at > 0 && ` ${w.or} `}
            <Link {...link} className="text-accent underline underline-offset-2">
              {label}
            </Link>
          </Fragment>
        ))}
      </p>
    )
  );
}
