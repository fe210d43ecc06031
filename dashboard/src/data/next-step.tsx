import { Link, type LinkProps } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useSession } from '../api/session.tsx';
import { useModelList } from '../models/use-models.ts';
import { usualModel } from '../models/usual-model.ts';
import { useTaskList } from '../tasks/use-question.ts';
import { useWords } from '../words/words.ts';
import { ingestionWords } from './ingestion-words.ts';

/**
 * What data that came in are for: a first question, a training of it, or a model that answers, to be asked and, where
 * the data have changed, trained again.
 */
export function NextStep({ isChanged }: { readonly isChanged: boolean }) {
  const w = useWords(ingestionWords);
  const { can, workspace } = useSession();
  const isOn = can('view_models');
  const models = useModelList(isOn);
  const tasks = useTaskList(isOn);
  if (!models.data || !tasks.data || !workspace) return null;
  const answering = models.data.data.filter(({ aliases }) => aliases.length > 0);
  const model = usualModel(answering, workspace.id);
  const [task] = tasks.data.data;
  const canTrain = can('manage_aliases');
  const steps: readonly (Pick<LinkProps, 'to' | 'search'> & { readonly label: string })[] = model
    ? [
        ...(canTrain && isChanged
          ? [{ to: '/training-runs' as const, search: { start: model.task_id }, label: w.trainAgain(model.name) }]
          : []),
        ...(can('invoke_predictions')
          ? [{ to: '/playground' as const, search: { model: model.id }, label: w.askModel(model.name) }]
          : []),
      ]
    : !canTrain
      ? []
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
