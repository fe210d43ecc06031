import type { Schemas } from '@lastro/sdk';
import { Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange, useData } from '../api/use-data.ts';
import { useTrailFact } from '../audit/trail-fact.tsx';
import { Button, buttonClass } from '../kit/button.tsx';
import { CodeBlock, CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { DocumentText, KeyText, RevealButton } from '../kit/document.tsx';
import { hasCpf, withoutCpf } from '../kit/documents.ts';
import { Drawer } from '../kit/drawer.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { useVersion } from '../models/use-models.ts';
import { playgroundAt } from '../playground/address.ts';
import type { PlaygroundSearch } from '../playground/search.ts';
import { importPart } from '../shell/new-build.ts';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { Answer } from './answer.tsx';
import { explanationOf, type Outputs } from './answer-fields.ts';
import { answerWords } from './answer-words.ts';
import { inputsAgain } from './ask-again.ts';
import { factorsOf, headlineField, headlineOf, outputsOf, type Prediction } from './headline.ts';
import { isOfUnknown } from './known.ts';
import { useAbout } from './use-about.ts';
import { predictionWords } from './words.ts';

/** Loaded after the rest, or where somebody asks for it. */
const Replay = lazy(async () => ({ default: (await importPart(() => import('./replay.tsx'))).Replay }));
const Lineage = lazy(async () => ({ default: (await importPart(() => import('./lineage.tsx'))).Lineage }));

/** One answered prediction: what was asked, what was answered and why. */
export function PredictionDrawer({
  id,
  models,
  onClose,
}: {
  readonly id: string;
  readonly models: ReadonlyMap<string, Schemas['Model']>;
  onClose(): void;
}) {
  const client = useClient();
  const { data, error, refetch } = useData(['predictions', 'one', id], (signal) =>
    client.predictions.get(id, { signal }),
  );
  const model = data && models.get(data.model_id);
  return (
    <Drawer title={data ? (model?.name ?? data.model_id) : '…'} onClose={onClose}>
      {error ? (
        <Failed error={error} onRetry={refetch} />
      ) : data ? (
        <Detail prediction={data} model={model} />
      ) : (
        <Skeleton />
      )}
    </Drawer>
  );
}

function Detail({
  prediction,
  model,
}: {
  readonly prediction: Prediction;
  readonly model: Schemas['Model'] | undefined;
}) {
  const w = useWords(predictionWords);
  const format = useFormat();
  const client = useClient();
  const { id, model_id: modelId, version_id: versionId, alias, entity, inputs } = prediction;
  const version = useVersion(model?.id, versionId);
  const about = useAbout(model, versionId);
  const workspace = useData(['workspace'], (signal) => client.workspace.get({ signal }));
  const trail = useTrailFact(id);
  const [measured, setMeasured] = useState<Outputs | null>(null);
  const [isShown, setShown] = useState(false);
  const [isTraced, setTraced] = useState(false);
  const reveal = () => client.predictions.reveal(id);
  const answered = outputsOf(prediction);
  const outputs = measured ? withMeasures(answered, measured) : answered;
  const declared = version.data?.outputs;
  const shown = (value: unknown) => JSON.stringify(isShown ? value : withoutCpf(value), null, 2);
  const again = workspace.data && inputsAgain(prediction, workspace.data.time_zone);
  return (
    <div className="flex flex-col gap-5">
      <Answer outputs={outputs} declared={declared} kind={model?.kind} about={about} />
      {again && !isOfUnknown(answered) && factorsOf(answered).length > 0 && explanationOf(answered).length === 0 && (
        <Measure
          prediction={prediction}
          inputs={again}
          measured={measured}
          say={(one) => headlineOf(one, format, { kind: model?.kind, declared: declaredOf(declared, one) })}
          onMeasured={setMeasured}
        />
      )}
      <Facts
        columns={2}
        of={[
          [w.when, <Moment key="at" at={prediction.created_at} isExact />],
          [w.asOf, <Moment key="as-of" at={prediction.as_of} isExact />],
          [
            w.version,
            version.data ? (
              <Link
                key="version"
                to="/models/$model_id/versions/$version_id"
                params={{ model_id: modelId, version_id: versionId }}
                className="text-accent underline underline-offset-2"
              >
                v{version.data.number}
              </Link>
            ) : (
              <Id key="version" id={versionId} />
            ),
          ],
          [w.latency, prediction.latency_ms === null ? '—' : format.duration(prediction.latency_ms)],
          trail,
          ['id', <Id key="id" id={id} />],
          entity && [w.about, <DocumentText key="entity" of={entity.key} onReveal={reveal} />],
        ]}
      />
      <div className="flex flex-wrap gap-2">
        {again && (
          <AskAgain
            search={{ model: model?.name ?? modelId, version: alias ?? versionId, inputs: again }}
            onReveal={reveal}
          />
        )}
        {factorsOf(answered).length > 0 && <Button onClick={() => setTraced(true)}>{w.whereFrom}</Button>}
        {isTraced && (
          <Suspense>
            <Lineage id={id} onClose={() => setTraced(false)} />
          </Suspense>
        )}
        {entity && (
          <Link to="/entities/$table/$key" params={{ table: entity.table, key: entity.key }} className={buttonClass()}>
            {w.seeEntity}
            <span className="max-w-40 truncate text-ink3">
              <KeyText text={entity.key} />
            </span>
          </Link>
        )}
        <CodeButton
          request={{
            method: 'POST',
            path: `/v1/api/prediction/${modelId}/${alias ?? versionId}`,
            body: isShown ? inputs : withoutCpf(inputs),
            typescript: `lastro.predict('${modelId}/${alias ?? versionId}', ${shown(inputs)})`,
          }}
        />
      </div>
      <section>
        <div className="mb-1 flex items-center justify-between gap-2">
          <h3 className="font-semibold text-section">{w.inputs}</h3>
          {(hasCpf(inputs) || hasCpf(answered)) && (
            <RevealButton isShown={isShown} onReveal={reveal} onShown={setShown} />
          )}
        </div>
        <CodeBlock label={w.inputs} code={shown(inputs)} />
      </section>
      <section>
        <h3 className="mb-1 font-semibold text-section">{w.outputs}</h3>
        <CodeBlock label={w.outputs} code={shown(answered)} />
      </section>
      <Suspense>
        <Replay key={id} id={id} />
      </Suspense>
    </div>
  );
}

/** To the playground, where the inputs stand unmasked: that a CPF among them is looked at is recorded first. */
function AskAgain({ search, onReveal }: { readonly search: PlaygroundSearch; onReveal(): Promise<unknown> }) {
  const w = useWords(predictionWords);
  const navigate = useNavigate();
  const go = useChange(async () => {
    await onReveal();
    await navigate(playgroundAt(search));
  });
  return hasCpf(search.inputs) ? (
    <Button isBusy={go.isPending} onClick={() => go.mutate(undefined)}>
      {w.askAgain}
    </Button>
  ) : (
    <Link {...playgroundAt(search)} className={buttonClass()}>
      {w.askAgain}
    </Link>
  );
}

/** Asks the version again for the numbers behind the sentences, which were not asked for at first. */
function Measure({
  prediction,
  inputs,
  measured,
  say,
  onMeasured,
}: {
  readonly prediction: Prediction;
  readonly inputs: Outputs;
  readonly measured: Outputs | null;
  say(outputs: Outputs): string;
  onMeasured(outputs: Outputs): void;
}) {
  const w = useWords(answerWords);
  const format = useFormat();
  const client = useClient();
  const ask = useChange(
    async () => {
      const target = `${prediction.model_id}/${prediction.version_id}` as const;
      const options = {
        ...{ include: ['explanation', 'interval'] as const, snapshot_id: prediction.snapshot_id },
        language: format.language,
      };
      onMeasured(await client.predict(target, inputs, options));
    },
    { changes: [['predictions']] },
  );
  if (measured) {
    const [now, then] = [say(measured), say(outputsOf(prediction))];
    return <p className="text-ink3 text-meta">{now === then ? w.addressedAgain : w.measuredOther(now, then)}</p>;
  }
  return (
    <div>
      <Button isBusy={ask.isPending} onClick={() => ask.mutate(undefined)}>
        {w.measure}
      </Button>
      <p className="mt-1 text-ink3 text-meta">{w.measureHint}</p>
    </div>
  );
}

/** The answer as it was, with what asking again has measured. */
function withMeasures(answered: Outputs, { explanation, explained, interval, language }: Outputs): Outputs {
  return { ...answered, explanation, explained, interval, language };
}

function declaredOf(declared: readonly Schemas['ModelField'][] | undefined, outputs: Outputs) {
  return declared?.find(({ name }) => name === headlineField(outputs));
}
