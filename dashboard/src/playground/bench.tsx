import { LastroError, type Schemas } from '@lastro/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useSession } from '../api/session.tsx';
import { useKey } from '../api/use-data.ts';
import { Button } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { hasCpf } from '../kit/documents.ts';
import { Panel } from '../kit/page.tsx';
import { Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { sayRefusal } from '../kit/toast.tsx';
import { exampleOf } from '../models/example.ts';
import { useVersion } from '../models/use-models.ts';
import { keepUsualModel } from '../models/usual-model.ts';
import type { Outputs } from '../predictions/answer-fields.ts';
import { importPart } from '../shell/new-build.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { InputForm } from './input-form.tsx';
import { JsonForm } from './json-form.tsx';
import { readJson } from './json-text.ts';
import { pickExample, withoutMarks } from './pick-example.ts';
import type { PlaygroundSearch } from './search.ts';
import type { Answered, Place, Target } from './target.ts';
import { playgroundWords } from './words.ts';

/** Loaded while the inputs are looked at. */
const Results = lazy(async () => ({ default: (await importPart(() => import('./results.tsx'))).Results }));

const WhatIf = lazy(async () => ({ default: (await importPart(() => import('./what-if.tsx'))).WhatIf }));

type Inputs = Readonly<Record<string, unknown>>;
const includes = ['explanation', 'interval', 'unknown'] as const;

/** The inputs on one side, the answer or both answers on the other. */
export function Bench({
  model,
  targets,
  search,
  onSearch,
}: {
  readonly model: Schemas['Model'];
  readonly targets: readonly Target[];
  readonly search: PlaygroundSearch;
  onSearch(change: Partial<PlaygroundSearch>): void;
}) {
  const w = useWords(playgroundWords);
  const format = useFormat();
  const { client, workspace } = useSession();
  const queries = useQueryClient();
  const predictionsKey = useKey(['predictions']);
  const [inputs, setInputs] = useState<Inputs>(search.inputs ?? {});
  const [jsonText, setJsonText] = useState<string | null>(null);
  const [note, setNote] = useState<string | null>(null);
  const [unread, setUnread] = useState<ReadonlySet<string>>(new Set());
  // The form is made anew when it is filled: a half typed day would otherwise stay in its control.
  const [filling, setFilling] = useState(0);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [answers, setAnswers] = useState<{ readonly of: string; readonly all: readonly Answered[] } | null>(null);
  const [isAsking, setAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const results = useRef<HTMLElement>(null);
  const version = useVersion(model.id, targets[0].id);
  const other = useVersion(model.id, targets[1]?.id);
  const isJson = search.as === 'json';
  const held = jsonText === null ? null : readJson(jsonText);
  const isHeld = held !== null && 'fault' in held;
  const shown = JSON.stringify(inputs);
  const isOld = answers !== null && (answers.of !== shown || unread.size > 0 || isHeld);

  const change = (next: Inputs, said: string | null = null) => {
    setInputs(next);
    setNote(said);
    setRefusal(null);
    onSearch({ inputs: next });
  };
  // The address changes under the page by back, forward, and links: its inputs are then the ones to show.
  const inAddress = JSON.stringify(search.inputs ?? {});
  const written = useRef(inAddress);
  useEffect(() => {
    if (inAddress !== written.current && inAddress !== shown && inAddress !== '{}') {
      setInputs(JSON.parse(inAddress));
      setJsonText(null);
      setUnread(new Set());
      setFilling((times) => times + 1);
    }
    written.current = inAddress;
  }, [inAddress, shown]);

  const changeOne = (name: string, value: unknown) => {
    const { [name]: _, ...rest } = inputs;
    setJsonText(null);
    setUnread((names) => names.difference(new Set([name])));
    change(value === undefined ? rest : { ...inputs, [name]: value });
  };
  const refill = (next: Inputs, said: string | null) => {
    setJsonText(null);
    setUnread(new Set());
    setFilling((times) => times + 1);
    change(next, said);
  };
  const changeJson = (text: string) => {
    setJsonText(text);
    setRefusal(null);
    const read = readJson(text);
    if ('inputs' in read) change(read.inputs);
  };
  const fill = async () => {
    try {
      const { data } = await client.predictions.list({ model_id: model.id, limit: 50 });
      const { example: asked, isOnlyOne } = pickExample(data, inputs);
      // The form shows what lists mask.
      if (asked && hasCpf(asked.inputs)) await client.predictions.reveal(asked.id);
      if (asked) return refill(withoutMarks(asked.inputs as Inputs), isOnlyOne ? w.filledFrom : w.filledFromOne);
      if (!version.data) return;
      const {
        inputs: example,
        real,
        madeUp,
        newestDay,
      } = await exampleOf(client, version.data, workspace?.time_zone ?? 'UTC');
      const said = [
        ...(real.length > 0 ? [w.filledReal(format.list(real))] : []),
        ...(Object.keys(example).length > real.length + madeUp.length ? [w.filledTypical] : []),
        ...(madeUp.length > 0 ? [w.filledMadeUp(format.list(madeUp))] : []),
        ...(newestDay === null ? [] : [w.filledDated(format.day(newestDay))]),
      ];
      refill(example, said.join(' '));
    } catch (error) {
      sayRefusal(error);
    }
  };
  const ask = (event: FormEvent) => {
    event.preventDefault();
    if (isHeld) return focusOn(form.current, '$json');
    setRefusal(null);
    const halfTyped = unreadIn(form.current);
    setUnread(halfTyped);
    if (halfTyped.size > 0) {
      setAnswers(null);
      return focusOn(form.current, [...halfTyped][0]);
    }
    void askOf(inputs);
  };
  const askOf = async (asked: Inputs) => {
    setAsking(true);
    try {
      const all = await Promise.all(
        targets.map(async (target, at) => {
          const began = performance.now();
          const outputs: Outputs = await client.predict(`${model.id}/${target.value}`, asked, {
            include: includes,
            language: format.language,
          });
          return { target, version: at === 0 ? version.data : other.data, outputs, tookMs: performance.now() - began };
        }),
      );
      setAnswers({ of: JSON.stringify(asked), all });
      keepUsualModel(workspace?.id ?? '', model.id);
      void queries.invalidateQueries({ queryKey: predictionsKey });
      requestAnimationFrame(() => bringIntoSight(results.current));
    } catch (error) {
      setRefusal(error);
      setAnswers(null);
      const [first] = fieldRefusals(error, version.data?.inputs ?? []).keys();
      requestAnimationFrame(() => focusOn(form.current, isJson ? '$json' : first));
    } finally {
      setAsking(false);
    }
  };
  const tryIt = (next: Inputs) => {
    refill(next, null);
    void askOf(next);
  };
  const askAsOf = (day: string) => tryIt({ ...inputs, reference_date: day });
  if (version.error) return <Failed error={version.error} onRetry={() => version.refetch()} />;
  if (!version.data) return <Skeleton rows={8} />;
  const fields = version.data.inputs;
  const refusals = fieldRefusals(refusal, fields);
  const isAllMarked = refusal instanceof LastroError && refusals.size > 0 && refusals.size === refusal.errors.length;
  const request = (target: Target) => ({
    method: 'POST' as const,
    path: `/v1/api/prediction/${encodeURIComponent(model.name)}/${target.value}?include=${includes.join(',')}&language=${format.language}`,
    body: inputs,
    typescript: `lastro.predict('${model.name}/${target.value}', ${JSON.stringify(inputs, null, 2)}, {\n  include: ['${includes.join("', '")}'],\n  language: '${format.language}',\n})`,
  });
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(320px,420px)_minmax(0,1fr)]">
      <Panel className="min-w-0 p-4">
        <form
          ref={form}
          onSubmit={ask}
          onKeyUp={() => setUnread(unreadIn(form.current))}
          onBlur={() => setUnread(unreadIn(form.current))}
          noValidate
          aria-label={w.inputs}
          className={refusal === null ? '[&_[data-input]]:scroll-mb-24' : '[&_[data-input]]:scroll-mb-72'}
        >
          <Tabs
            label={w.inputs}
            tabs={[
              { value: 'form', label: w.form },
              { value: 'json', label: w.json },
            ]}
            value={isJson ? 'json' : 'form'}
            onValue={(as) => onSearch({ as: as === 'json' ? 'json' : undefined })}
          >
            <div className="mb-3 flex flex-wrap items-center gap-2">
              <Button size="small" onClick={fill}>
                {w.fill}
              </Button>
              <Button
                size="small"
                kind="quiet"
                disabled={Object.keys(inputs).length === 0 && jsonText === null}
                onClick={() => refill({}, null)}
              >
                {w.clear}
              </Button>
              <span role="status" className="text-ink3 text-meta">
                {note}
              </span>
            </div>
            {isJson ? (
              <JsonForm
                text={jsonText ?? JSON.stringify(inputs, null, 2)}
                read={held}
                refusal={refusal instanceof LastroError ? refusal : null}
                onText={changeJson}
              />
            ) : (
              <>
                {isHeld && <p className="mb-3 rounded-[6px] bg-warn-soft px-2.5 py-1.5 text-warn">{w.jsonHeld}</p>}
                <InputForm
                  key={filling}
                  fields={fields}
                  inputs={inputs}
                  refusals={refusals}
                  unread={unread}
                  onValue={changeOne}
                />
              </>
            )}
          </Tabs>
          <div className="sticky bottom-0 -mx-4 -mb-4 mt-4 flex flex-wrap items-center gap-2 rounded-b-[8px] border-line border-t bg-panel px-4 py-3">
            {refusal !== null && (
              <div className="max-h-[40vh] w-full overflow-y-auto">
                {isAllMarked && !isJson ? (
                  <p role="alert" className="rounded-[6px] bg-bad-soft px-3 py-2">
                    {refusals.size === 1 ? w.refusedOne : w.refusedMany(format.integer(refusals.size))}
                  </p>
                ) : (
                  <Refusal error={refusal} />
                )}
              </div>
            )}
            <Button submits kind="primary" isBusy={isAsking}>
              {targets.length > 1 ? w.askBoth : w.ask}
            </Button>
            <CodeButton request={request(targets[0])} />
            <span className="text-ink3 text-meta">{targets.length > 1 ? w.countsTwo : w.counts}</span>
          </div>
        </form>
      </Panel>
      <section ref={results} tabIndex={-1} aria-label={w.theAnswer} className="min-w-0 scroll-mt-16 outline-none">
        <Suspense fallback={<Skeleton rows={4} />}>
          <Results answers={answers?.all ?? null} isOld={isOld} model={model} onAsOf={askAsOf} />
          {answers && !isOld && (
            <WhatIf
              key={`${targets[0].value} ${answers.of}`}
              model={model}
              target={targets[0]}
              version={version.data}
              inputs={JSON.parse(answers.of)}
              onTry={tryIt}
            />
          )}
        </Suspense>
      </section>
    </div>
  );
}

/** The days and times that their controls show and cannot read: half typed, or such as 31 February. */
function unreadIn(form: HTMLFormElement | null): ReadonlySet<string> {
  const controls = [...(form?.querySelectorAll<HTMLInputElement>('input[data-input]') ?? [])];
  return new Set(controls.filter(({ validity }) => validity.badInput).map(({ dataset }) => dataset.input!));
}

/** Why inputs were refused, by their names; what is about no field of the form is not among them. */
function fieldRefusals(error: unknown, fields: readonly Schemas['ModelField'][]): ReadonlyMap<string, Place> {
  if (!(error instanceof LastroError)) return new Map();
  const names = new Set(fields.map(({ name }) => name));
  return new Map(
    error.errors.flatMap((place) => {
      const name = place.pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
      return names.has(name) ? [[name, place] as const] : [];
    }),
  );
}

/** An answer has its whole height after so many milliseconds. */
const growingMs = 1_000;

/** An answer that comes below what is in sight, as on phones, is scrolled to, and read from its beginning. */
function bringIntoSight(element: HTMLElement | null): void {
  if (!element || element.getBoundingClientRect().top < window.innerHeight / 2) return;
  const show = () => element.scrollIntoView({ block: 'start' });
  show();
  // A page that grows with the answer may not have been long enough to be scrolled so far.
  const grown = new ResizeObserver(show);
  grown.observe(element);
  setTimeout(() => grown.disconnect(), growingMs);
  element.focus({ preventScroll: true });
}

function focusOn(form: HTMLFormElement | null, name: string | undefined): void {
  if (name === undefined) return;
  form?.querySelector<HTMLElement>(`[data-input="${CSS.escape(name)}"]`)?.focus();
}
