import { Link } from '@tanstack/react-router';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { Band, ScoreStrip } from '../kit/bands.tsx';
import { CodeBlock, CodeButton } from '../kit/code.tsx';
import { Id } from '../kit/copy.tsx';
import { Drawer } from '../kit/drawer.tsx';
import { Moment } from '../kit/moment.tsx';
import { Facts } from '../kit/page.tsx';
import { Failed, Skeleton } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { factorsOf, headlineOf, outputsOf, type Prediction } from './headline.ts';
import { predictionWords } from './words.ts';

/** One answered prediction: what was asked, what was answered and why. */
export function PredictionDrawer({
  id,
  modelNames,
  onClose,
}: {
  readonly id: string;
  readonly modelNames: ReadonlyMap<string, string>;
  onClose(): void;
}) {
  const client = useClient();
  const { data, error, refetch } = useData(['predictions', 'one', id], (signal) =>
    client.predictions.get(id, { signal }),
  );
  return (
    <Drawer title={data ? (modelNames.get(data.model_id) ?? data.model_id) : '…'} onClose={onClose}>
      {error ? <Failed error={error} onRetry={refetch} /> : data ? <Detail prediction={data} /> : <Skeleton />}
    </Drawer>
  );
}

function Detail({ prediction }: { readonly prediction: Prediction }) {
  const w = useWords(predictionWords);
  const format = useFormat();
  const outputs = outputsOf(prediction);
  const { model_id: model, version_id: version, alias, entity, band, inputs } = prediction;
  const factors = factorsOf(outputs);
  const path = `/v1/api/prediction/${model}/${alias ?? version}`;
  return (
    <div className="flex flex-col gap-5">
      <div>
        <p className="font-semibold text-hero tracking-[-0.045em]">{headlineOf(outputs, format)}</p>
        {band && (
          <p className="mb-3 text-body">
            <Band name={band} />
          </p>
        )}
        {typeof outputs.score === 'number' && <ScoreStrip score={outputs.score} />}
      </div>
      {factors.length > 0 && (
        <section>
          <h3 className="mb-1 font-semibold text-section">{w.factors}</h3>
          <ul className="flex flex-col divide-y divide-line">
            {factors.map((factor) => (
              <li key={factor} className="py-1.5">
                {factor}
              </li>
            ))}
          </ul>
        </section>
      )}
      <Facts
        columns={2}
        of={[
          [w.when, <Moment key="at" at={prediction.created_at} isExact />],
          [w.asOf, <Moment key="as-of" at={prediction.as_of} isExact />],
          [w.version, <Id key="version" id={version} />],
          [w.latency, prediction.latency_ms === null ? '—' : format.duration(prediction.latency_ms)],
          ['id', <Id key="id" id={prediction.id} />],
          entity && [
            w.about,
            <Link
              key="entity"
              to="/entities/$table/$key"
              params={{ table: entity.table, key: entity.key }}
              className="text-accent underline underline-offset-2"
            >
              {entity.key}
            </Link>,
          ],
        ]}
      />
      <section>
        <h3 className="mb-1 font-semibold text-section">{w.inputs}</h3>
        <CodeBlock label={w.inputs} code={JSON.stringify(inputs, null, 2)} />
      </section>
      <section>
        <h3 className="mb-1 font-semibold text-section">{w.outputs}</h3>
        <CodeBlock label={w.outputs} code={JSON.stringify(outputs, null, 2)} />
      </section>
      <div className="flex flex-wrap gap-2">
        <CodeButton
          request={{
            method: 'POST',
            path,
            body: inputs,
            typescript: `lastro.predict('${model}/${alias ?? version}', ${JSON.stringify(inputs)})`,
          }}
        />
      </div>
    </div>
  );
}
