import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { Dialog, DialogFoot } from '../kit/dialog.tsx';
import { Checkbox, Field, Input, Select } from '../kit/field.tsx';
import { Refusal, Skeleton } from '../kit/states.tsx';
import { say } from '../kit/toast.tsx';
import { useTaskList } from '../tasks/use-question.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { runWords } from './words.ts';

type YesNo = '' | 'yes' | 'no';

/** Chooses a task and starts a run of it. `task` (an id) and `alias` are chosen at first. */
export function StartRun({
  task,
  alias = '',
  onClose,
}: {
  readonly task: string;
  readonly alias: string | undefined;
  onClose(): void;
}) {
  const w = useWords(runWords);
  const tasks = useTaskList();
  return (
    <Dialog title={w.startTitle} description={w.startBody} isOpen onClose={onClose}>
      {tasks.error ? (
        <Refusal error={tasks.error} />
      ) : !tasks.data ? (
        <Skeleton rows={4} />
      ) : tasks.data.data.length === 0 ? (
        <>
          <p className="mb-3">{w.noTasks}</p>
          <Link to="/tasks/new" className={buttonClass('primary')}>
            {w.newTask}
          </Link>
        </>
      ) : (
        <Form
          tasks={tasks.data.data}
          first={tasks.data.data.find(({ id }) => id === task)?.id ?? tasks.data.data[0].id}
          firstAlias={alias}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

function Form({
  tasks,
  first,
  firstAlias,
  onClose,
}: {
  readonly tasks: readonly { readonly id: string; readonly name: string }[];
  readonly first: string;
  readonly firstAlias: string;
  onClose(): void;
}) {
  const w = useWords(runWords);
  const c = useWords(common);
  const client = useClient();
  const navigate = useNavigate();
  const [task, setTask] = useState(first);
  const [alias, setAlias] = useState(firstAlias);
  const [model, setModel] = useState('');
  const [accepts, setAccepts] = useState(false);
  const [holds, setHolds] = useState(true);
  const [pretrain, setPretrain] = useState(false);
  const [feedback, setFeedback] = useState<YesNo>('');
  const [gfm, setGfm] = useState<'' | 'adopted' | 'none'>('');
  // Callers may have names of their own for one.
  const aliases = new Set(['challenger', 'production', 'baseline', ...(firstAlias ? [firstAlias] : [])]);
  const body = {
    task_id: task,
    ...(alias ? { alias, ...(holds ? { hold_back_worse: true } : {}) } : {}),
    ...(model ? { model } : {}),
    ...(accepts ? { accept_input_changes: true } : {}),
    ...(pretrain ? { pretrain: true } : {}),
    ...(feedback ? { feedback: feedback === 'yes' } : {}),
    ...(gfm ? { gfm } : {}),
  };
  const start = useChange(() => client.trainingRuns.create(body), {
    changes: [['training-runs'], ['models']],
    isQuiet: true,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // A refusal is shown below.
    const run = await start.mutateAsync(undefined).catch(() => null);
    if (!run) return;
    say(w.began);
    await navigate({ to: '/training-runs/$run_id', params: { run_id: run.id } });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field label={w.task}>
        <Select value={task} options={tasks.map(({ id, name }) => ({ value: id, label: name }))} onValue={setTask} />
      </Field>
      <Field label={w.alias} hint={w.aliasHint}>
        <Select
          value={alias}
          options={[{ value: '', label: w.noAlias }, ...Array.from(aliases, (name) => ({ value: name, label: name }))]}
          onValue={setAlias}
        />
      </Field>
      {alias !== '' && (
        <Checkbox
          label={w.holdBackWorse}
          hint={w.holdBackWorseHint}
          checked={holds}
          onChange={(event) => setHolds(event.target.checked)}
        />
      )}
      <details>
        <summary className="text-ink2">{w.more}</summary>
        <div className="mt-3 flex flex-col gap-3">
          <Field label={w.model} hint={w.modelHint} isOptional>
            <Input value={model} onChange={(event) => setModel(event.target.value)} maxLength={200} />
          </Field>
          <div className="grid gap-3 sm:grid-cols-2">
            <Field label={w.feedback} hint={w.feedbackHint}>
              <Select
                value={feedback}
                options={[
                  { value: '', label: w.byDefault },
                  { value: 'yes', label: w.yes },
                  { value: 'no', label: w.no },
                ]}
                onValue={setFeedback}
              />
            </Field>
            <Field label={w.gfm} hint={w.gfmHint}>
              <Select
                value={gfm}
                options={[
                  { value: '', label: w.byDefault },
                  { value: 'adopted', label: w.gfmAdopted },
                  { value: 'none', label: w.gfmNone },
                ]}
                onValue={setGfm}
              />
            </Field>
          </div>
          <Checkbox
            label={w.pretrain}
            hint={w.pretrainHint}
            checked={pretrain}
            onChange={(event) => setPretrain(event.target.checked)}
          />
          <Checkbox
            label={w.acceptInputChanges}
            hint={w.acceptInputChangesHint}
            checked={accepts}
            onChange={(event) => setAccepts(event.target.checked)}
          />
        </div>
      </details>
      {start.error && <Refusal error={start.error} />}
      <DialogFoot>
        <span className="mr-auto">
          <CodeButton
            request={{
              method: 'POST',
              path: '/v1/api/training-runs',
              body,
              typescript: `lastro.trainingRuns.create(${JSON.stringify(body)})`,
            }}
          />
        </span>
        <Button onClick={onClose}>{c.cancel}</Button>
        <Button submits kind="primary" isBusy={start.isPending}>
          {w.startAction}
        </Button>
      </DialogFoot>
    </form>
  );
}
