import type { Schemas } from '@lastro/sdk';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useClient } from '../api/session.tsx';
import { useChange, useData, useList } from '../api/use-data.ts';
import { axis, baseOption } from '../charts/axes.ts';
import { Chart, type Palette } from '../charts/chart.tsx';
import { Band, ScoreStrip } from '../kit/bands.tsx';
import { Button, buttonClass } from '../kit/button.tsx';
import { Field, Select } from '../kit/field.tsx';
import { Moment } from '../kit/moment.tsx';
import { Panel, Section } from '../kit/page.tsx';
import { Empty, Failed, Refusal, Skeleton } from '../kit/states.tsx';
import { type Column, Table } from '../kit/table.tsx';
import { useModelList, useTraffic, useVersions } from '../models/use-models.ts';
import { headlineField, headlineOf, outputsOf, type Prediction } from '../predictions/headline.ts';
import { KnownFacts } from '../predictions/knowledge.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { EntityProps } from './entity-search.ts';
import { type ScoreSeries, scoreSeries } from './score-series.ts';
import { entityWords } from './words.ts';

const pageSize = 200;

/** What models answered about an entity over time, and a new answer on request. */
export function EntityScores({ table, entityKey, search, set }: EntityProps) {
  const w = useWords(entityWords);
  const client = useClient();
  const models = useModelList();
  const byId = useMemo(() => new Map(models.data?.data.map((one) => [one.id, one])), [models.data]);
  const filter = { entity: table, key: entityKey, ...(search.model ? { model_id: search.model } : {}) };
  const list = useList(['predictions', filter], (cursor, signal) =>
    client.predictions.list({ ...filter, limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
  );
  return (
    <div className="flex flex-col gap-5">
      <Asking
        table={table}
        entityKey={entityKey}
        models={models.data?.data ?? []}
        newest={list.rows[0]?.model_id}
        search={search}
        set={set}
      />
      {list.isError ? (
        <Failed error={list.error} onRetry={() => list.refetch()} />
      ) : list.isPending ? (
        <Skeleton rows={8} />
      ) : list.rows.length === 0 ? (
        <Empty title={w.noScores}>{w.noScoresBody}</Empty>
      ) : (
        <>
          <ScoreCharts rows={list.rows} models={byId} />
          <ScoreTable rows={list.rows} models={byId} onEnd={list.fetchMore} />
        </>
      )}
    </div>
  );
}

/** Asks a model about the entity. The models are those that need its key and nothing else. */
function Asking({
  table,
  entityKey,
  models,
  newest,
  search,
  set,
}: EntityProps & {
  readonly models: readonly Schemas['Model'][];
  /** The model that was asked about it last. */
  readonly newest: string | undefined;
}) {
  const w = useWords(entityWords);
  const format = useFormat();
  const client = useClient();
  const inProduction = models.filter(({ aliases }) => aliases.some(({ alias }) => alias === 'production'));
  const inputs = useData(
    ['models', 'key-inputs', table, inProduction.map(({ id }) => id)],
    (signal) => Promise.all(inProduction.map((model) => keyInputOf(client, model, table, signal))),
    { isOn: inProduction.length > 0 },
  );
  const askable = inProduction.flatMap((model, at) => {
    const input = inputs.data?.[at];
    return input ? [{ model, input }] : [];
  });
  const traffic = useTraffic();
  const asked = ({ id }: Schemas['Model']) => traffic?.get(id) ?? 0;
  const [most] = askable.toSorted((one, other) => asked(other.model) - asked(one.model));
  const chosen = [search.model, newest].flatMap((id) => askable.find(({ model }) => model.id === id) ?? [])[0] ?? most;
  const [answer, setAnswer] = useState<{
    readonly of: Schemas['Model'];
    readonly outputs: Record<string, unknown>;
  } | null>(null);
  const ask = useChange(
    async ({ model, input }: (typeof askable)[number]) => {
      const outputs = await client.predict(`${model.id}/production`, { [input]: entityKey });
      setAnswer({ of: model, outputs: outputs as Record<string, unknown> });
    },
    { changes: [['predictions']], isQuiet: true },
  );
  if (models.length > 0 && inputs.data && askable.length === 0)
    return (
      <p className="flex flex-wrap items-center gap-3 text-body text-ink2">
        {w.noModel}
        <Link to="/playground" className={buttonClass()}>
          {w.toPlayground}
        </Link>
      </p>
    );
  if (!chosen) return null;
  const band = answer?.outputs.risk_band;
  return (
    <Panel className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-end gap-2">
        <Field label={w.askModel} className="w-56">
          <Select
            value={chosen.model.id}
            options={askable.map(({ model }) => ({ value: model.id, label: model.name }))}
            onValue={(model) => set({ model })}
          />
        </Field>
        <Button kind="primary" isBusy={ask.isPending} onClick={() => ask.mutate(chosen)}>
          {w.askNow}
        </Button>
      </div>
      {ask.error && <Refusal error={ask.error} />}
      {answer && (
        <div role="status" className="flex flex-col gap-2">
          <p className="text-body text-ink2">{w.asked(answer.of.name)}</p>
          <p className="font-semibold text-hero tracking-[-0.045em]">
            {headlineOf(answer.outputs, format, { kind: answer.of.kind })}
          </p>
          {typeof band === 'string' && <Band name={band} />}
          <KnownFacts outputs={answer.outputs} />
          {typeof answer.outputs.score === 'number' && (
            <div className="max-w-xl">
              <ScoreStrip score={answer.outputs.score} />
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}

/** The input of a model's production version that takes the key of the table, where no other one is required. */
async function keyInputOf(
  client: ReturnType<typeof useClient>,
  model: Schemas['Model'],
  table: string,
  signal: AbortSignal,
): Promise<string | null> {
  const production = model.aliases.find(({ alias }) => alias === 'production');
  if (!production) return null;
  const { inputs } = await client.models.versions.get(model.id, production.version_id, { signal });
  const required = inputs.filter((input) => input.required);
  const [only] = required;
  return required.length === 1 && only.source?.table === table ? only.name : null;
}

type Rows = { readonly rows: readonly Prediction[]; readonly models: ReadonlyMap<string, Schemas['Model']> };

/** Fewer answers show nothing that their rows in the table do not. */
const chartedLeast = 3;

/** A chart for each model and field: their answers are numbers of different kinds. */
function ScoreCharts({ rows, models }: Rows) {
  const nameOf = useNameOfAnswers();
  const all = useMemo(
    () => scoreSeries(rows).filter(({ versions }) => [...versions.values()].flat().length >= chartedLeast),
    [rows],
  );
  return all.map((series) => {
    const { modelId, field } = series;
    const model = models.get(modelId);
    return (
      <Section key={`${modelId} ${field}`} title={nameOf(model?.name ?? modelId, field)} className="!mt-0">
        <ScoreChart series={series} kind={model?.kind} />
      </Section>
    );
  });
}

/** What answers of a model are called: where the field says how many days ahead they are, with these. */
function useNameOfAnswers(): (model: string, field: string | undefined) => string {
  const w = useWords(entityWords);
  const format = useFormat();
  return (model, field) => {
    const [, days] = /_(\d+)d$/.exec(field ?? '') ?? [];
    return days === undefined ? model : w.scoreAhead(model, format.integer(Number(days)));
  };
}

const symbols = ['circle', 'rect', 'triangle', 'diamond'];

/** A line for each version, over the moments that its answers speak of, whenever they were asked for. */
function ScoreChart({ series, kind }: { readonly series: ScoreSeries; readonly kind: string | undefined }) {
  const w = useWords(entityWords);
  const format = useFormat();
  const versions = useVersions(series.modelId);
  const lines = useMemo(
    () =>
      Array.from(series.versions, ([id, scores]) => {
        const number = versions.data?.find((one) => one.id === id)?.number;
        return { name: number === undefined ? id : w.versionOf(format.integer(number)), scores };
      }),
    [series, versions.data, w, format],
  );
  const option = useMemo(
    () => (palette: Palette) => {
      const colors = [palette.accent, palette.challenger, palette.ink2, palette.ink3];
      return {
        ...baseOption(palette),
        ...(lines.length > 1 && {
          legend: { top: 0, left: 0, itemHeight: 8, textStyle: { color: palette.ink2, fontSize: 11 } },
          grid: { ...baseOption(palette).grid, top: 32 },
        }),
        xAxis: {
          type: 'time',
          ...axis(palette, (at: never) => format.day(new Date(at))),
          axisPointer: {
            label: { formatter: ({ value }: { value: number }) => format.dateTime(new Date(value)) },
          },
        },
        yAxis: { type: 'value', scale: true, ...axis(palette, (value: never) => format.number(value)) },
        series: lines.map(({ name, scores }, at) => ({
          ...{ type: 'line', name, symbol: symbols[at % symbols.length], symbolSize: 6 },
          data: scores.map(({ prediction, value }) => [Date.parse(prediction.as_of), value]),
          itemStyle: { color: colors[at % colors.length] },
        })),
      };
    },
    [lines, format],
  );
  const told = lines
    .flatMap(({ name, scores }) => scores.map((score) => ({ ...score, name })))
    .sort((one, other) => Date.parse(other.prediction.as_of) - Date.parse(one.prediction.as_of));
  const [newest, oldest] = [told[0].prediction, told[told.length - 1].prediction];
  const dayOf = ({ as_of: at }: Prediction) => format.day(at);
  const summary = w.scoresSummary(format.integer(told.length), dayOf(oldest), dayOf(newest));
  return (
    <Chart
      option={option}
      height={180}
      summary={summary}
      table={{
        head: [w.asOf, w.version, w.answer],
        rows: told.map(({ prediction, name }) => [
          format.dateTime(prediction.as_of),
          name,
          headlineOf(outputsOf(prediction), format, { kind }),
        ]),
      }}
    />
  );
}

function ScoreTable({ rows, models, onEnd }: Rows & { onEnd(): void }) {
  const w = useWords(entityWords);
  const nameOf = useNameOfAnswers();
  const format = useFormat();
  const columns: readonly Column<Prediction>[] = [
    { key: 'asOf', head: w.asOf, width: '120px', cell: ({ as_of: at }) => format.day(at) },
    { key: 'when', head: w.askedAt, width: '130px', isMinor: true, cell: ({ created_at: at }) => <Moment at={at} /> },
    {
      key: 'model',
      head: w.model,
      width: 'minmax(110px, 1fr)',
      isMinor: true,
      cell: (one) => nameOf(models.get(one.model_id)?.name ?? one.model_id, headlineField(outputsOf(one))),
    },
    {
      key: 'answer',
      head: w.answer,
      width: '90px',
      isRight: true,
      cell: (one) => (
        <b className="font-semibold">{headlineOf(outputsOf(one), format, { kind: models.get(one.model_id)?.kind })}</b>
      ),
    },
    {
      key: 'band',
      head: w.band,
      width: 'minmax(184px, 1.4fr)',
      cell: (one) => {
        const { score } = outputsOf(one);
        return (
          one.band && (
            <span className="flex items-center gap-3">
              {typeof score === 'number' && <ScoreStrip score={score} isSmall />}
              <Band name={one.band} />
            </span>
          )
        );
      },
    },
  ];
  return (
    <Table label={w.scores} columns={columns} rows={rows} keyOf={({ id }) => id} onEnd={onEnd} height="max-h-[50vh]" />
  );
}
