import type { Schemas } from '@lastro/sdk';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useClient, useSession } from '../api/session.tsx';
import { useData, useLiveList } from '../api/use-data.ts';
import { Band, BandFilter, bandByName, bands, ScoreStrip } from '../kit/bands.tsx';
import { Button, buttonClass } from '../kit/button.tsx';
import { CodeBlock, CodeButton } from '../kit/code.tsx';
import { dayIn, endOfDay, startOfDay } from '../kit/day.ts';
import { DaysBetween } from '../kit/days-between.tsx';
import { KeyText } from '../kit/document.tsx';
import { withoutCpf } from '../kit/documents.ts';
import { Split } from '../kit/drawer.tsx';
import { Select } from '../kit/field.tsx';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Live } from '../kit/live.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Empty, NothingFound, Refusal } from '../kit/states.tsx';
import { Tag } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { useModelList } from '../models/use-models.ts';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { useFormat } from '../words/format.ts';
import { useTimeZone } from '../words/time-zone.ts';
import { useWords } from '../words/words.ts';
import { countedSpan } from './counted-span.ts';
import { headlineOf, headlineValue, outputsOf, type Prediction } from './headline.ts';
import { isLittleKnown, isOfUnknown } from './known.ts';
import { OfFile } from './of-file.tsx';
import { PredictionDrawer } from './prediction-drawer.tsx';
import type { PredictionsSearch } from './search.ts';
import { predictionWords } from './words.ts';

const route = getRouteApi('/_app/predictions');
const pageSize = 200;
const liveEveryMs = 2_000;

export function Predictions() {
  const w = useWords(predictionWords);
  const c = useWords(common);
  const { predictions: title } = useWords(pageNames);
  const client = useClient();
  const search = route.useSearch();
  const navigate = useNavigate({ from: '/predictions' });
  const set = (change: Partial<PredictionsSearch>) =>
    navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const timeZone = useTimeZone();
  const { model, band, channel, file, from, to, live, open } = search;
  const asked = {
    ...(model ? { model_id: model } : {}),
    ...(channel ? { channel } : {}),
    ...(file ? { file_id: file } : {}),
    ...(from ? { from: startOfDay(from, timeZone) } : {}),
    ...(to ? { to: endOfDay(to, timeZone) } : {}),
  };
  const filter = { ...asked, ...(band ? { band } : {}) };
  const isReversed = from !== undefined && to !== undefined && from > to;
  const list = useLiveList(
    ['predictions', filter],
    async (cursor, signal) =>
      isReversed
        ? { data: [], has_more: false, next_cursor: null }
        : client.predictions.list({ ...filter, limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
    live ? liveEveryMs : false,
  );
  const models = useModelList();
  const [now] = useState(Date.now);
  const statistics = useData(
    ['predictions', 'statistics', asked],
    (signal) => client.predictions.getStatistics({ bucket: 'all', ...asked, ...countedSpan(asked, now) }, { signal }),
    { everyMs: () => (live ? 5 * liveEveryMs : false), isOn: !isReversed },
  );
  const counts = useMemo(
    () =>
      statistics.data &&
      new Map(statistics.data.data.flatMap(({ bands }) => bands.map((one) => [one.band ?? '', one.predictions]))),
    [statistics.data],
  );
  const byId = useMemo(() => new Map(models.data?.data.map((one) => [one.id, one])), [models.data]);
  const columns = useColumns(byId, open !== undefined);
  const exported = useExported(columns);
  // Only scores have bands: where none was answered there is nothing to choose.
  const kind = model && byId.get(model)?.kind;
  const hasBands =
    band !== undefined || (counts ? bands.some(({ name }) => counts.has(name)) : !kind || kind === 'credit');
  // Beside the pane, which says it, there is no room for how long an answer took.
  const shown = useMemo(
    () => columns.filter(({ key }) => (hasBands || key !== 'band') && (!open || key !== 'latency_ms')),
    [columns, hasBands, open],
  );
  const isFiltered = Object.keys(filter).length > 0;
  const query = new URLSearchParams(filter as Record<string, string>).toString();
  const path = `/v1/api/predictions${query ? `?${query}` : ''}`;
  return (
    <Split
      drawer={open && <PredictionDrawer key={open} id={open} models={byId} onClose={() => set({ open: undefined })} />}
    >
      <Page
        isWide
        title={title}
        description={w.description}
        actions={
          <>
            <Live isOn={live === true} onChange={(isOn) => set({ live: isOn || undefined })} />
            <CodeButton
              request={{
                method: 'GET',
                path,
                typescript: `lastro.predictions.list(${JSON.stringify(filter)})`,
              }}
            />
            <ExportButton name="predictions.csv" list={list} columns={exported} />
            <Link to="/watch-lists" className={buttonClass()}>
              {w.watchLists}
            </Link>
            <Link to="/predictions/replays" className={buttonClass()}>
              {w.replays}
            </Link>
          </>
        }
      >
        {hasBands && <BandFilter counts={counts} chosen={band} onChoose={(chosen) => set({ band: chosen })} />}
        <div className="my-3 flex flex-wrap gap-2">
          <Select
            data-filter
            aria-label={w.model}
            className="!w-52"
            value={model ?? ''}
            options={[
              { value: '', label: w.allModels },
              ...(models.data?.data.map(({ id, name }) => ({ value: id, label: name })) ?? []),
            ]}
            onValue={(value) => set({ model: value || undefined })}
          />
          <Select
            aria-label={w.asked}
            className="!w-44"
            value={channel ?? ''}
            options={[
              { value: '', label: w.allChannels },
              { value: 'api', label: w.api },
              { value: 'dashboard', label: w.dashboard },
            ]}
            onValue={(value) => set({ channel: value === '' ? undefined : value })}
          />
          {file && <OfFile id={file} />}
          <DaysBetween from={from} to={to} onChange={set} />
          {isFiltered && (
            <Button kind="quiet" onClick={() => navigate({ search: {}, replace: true })}>
              {c.clearFilters}
            </Button>
          )}
        </div>
        <ListTable
          list={list}
          label={title}
          columns={shown}
          keyOf={({ id }) => id}
          chosen={open}
          onOpen={({ id }) => set({ open: id })}
          isFresh={({ created_at: at }) => live === true && Date.now() - Date.parse(at) < liveEveryMs + 1_000}
          empty={
            isReversed ? (
              <Refusal error={c.daysReversed} />
            ) : isFiltered ? (
              <NothingFound onClear={() => navigate({ search: {}, replace: true })} />
            ) : (
              <Empty
                title={w.first}
                action={
                  <Link to="/playground" className={buttonClass('primary')}>
                    {w.toPlayground}
                  </Link>
                }
              >
                <p className="mb-3">{w.firstBody}</p>
                <div className="text-left">
                  <CodeBlock
                    code={`curl -s '${location.origin}/v1/api/prediction/<model>/production' \\\n  -H "Authorization: Bearer $LASTRO_API_KEY" \\\n  -H "Content-Type: application/json" -d '{…}'`}
                  />
                </div>
              </Empty>
            )
          }
        />
        <div className="mt-2 text-ink3 text-meta" aria-live="polite">
          {statistics.data && <Total of={statistics.data} band={band} isByDay={Boolean(from || to)} />}
          {statistics.error && <Refusal error={statistics.error} />}
        </div>
      </Page>
    </Split>
  );
}

/** How many in all, or in a band, and of which time. */
function Total({
  of: { data, from, to },
  band,
  isByDay,
}: {
  readonly of: Schemas['PredictionStatistics'];
  readonly band: string | undefined;
  readonly isByDay: boolean;
}) {
  const w = useWords(predictionWords);
  const format = useFormat();
  const counted = band ? data.flatMap(({ bands }) => bands.filter((one) => one.band === band)) : data;
  const count = format.integer(counted.map(({ predictions }) => predictions).reduce((sum, one) => sum + one, 0));
  // The end is the first moment that is not counted.
  const last = new Date(Date.parse(to) - 1);
  return isByDay ? w.totalBetween(count, format.day(from), format.day(last)) : w.total(count);
}

const dayMs = 24 * 60 * 60_000;

/** Whether an answer is as of a day before it was asked. */
function isOfThePast({ as_of: asOf, created_at: at }: Pick<Prediction, 'as_of' | 'created_at'>): boolean {
  return Date.parse(at) - Date.parse(asOf) > dayMs;
}

/** The columns of a file: also by which alias and version a row was answered, and as of when. */
function useExported(columns: readonly Column<Prediction>[]): readonly Column<Prediction>[] {
  const w = useWords(predictionWords);
  const timeZone = useSession().workspace?.time_zone ?? 'UTC';
  return useMemo(() => {
    const column = (key: 'as_of' | 'alias' | 'version_id', head: string): Column<Prediction> => ({
      ...{ key, head, width: '0' },
      cell: (one) => one[key],
      text: (one) => one[key],
      ...(key === 'as_of' ? { sheetText: ({ as_of: at }) => dayIn(timeZone, at) } : {}),
    });
    const own = [column('as_of', w.asOf), column('alias', w.alias), column('version_id', w.version)];
    return [...columns, ...own];
  }, [columns, w, timeZone]);
}

/** Says of an answer that nothing was known of whom it is about, or little. */
function KnownTag({ of: prediction }: { readonly of: Parameters<typeof outputsOf>[0] }) {
  const w = useWords(predictionWords);
  const outputs = outputsOf(prediction);
  const { data_coverage_share: share } = outputs;
  const isLittle = typeof share === 'number' && isLittleKnown(share);
  const said = isOfUnknown(outputs) ? w.nothingKnown : isLittle ? w.littleKnown : null;
  if (said === null) return null;
  return (
    <span className="ml-2">
      <Tag tone="warn">{said}</Tag>
    </span>
  );
}

function useColumns(models: ReadonlyMap<string, Schemas['Model']>, isNarrow: boolean): readonly Column<Prediction>[] {
  const w = useWords(predictionWords);
  const { bands: bandNames } = useWords(common);
  const format = useFormat();
  const answerOf = useCallback(
    (one: Prediction) => headlineOf(outputsOf(one), format, { kind: models.get(one.model_id)?.kind }),
    [format, models],
  );
  return useMemo(
    () => [
      {
        key: 'created_at',
        head: w.when,
        width: '132px',
        isMinor: true,
        cell: ({ created_at: at }) => <Moment at={at} />,
        text: ({ created_at: at }) => at,
      },
      {
        key: 'entity',
        head: w.about,
        // A CNPJ is never cut.
        width: 'minmax(156px, 1.4fr)',
        cell: ({ entity, ...one }) => (
          <>
            {entity ? (
              <span className="font-mono text-meta">
                <KeyText text={entity.key} />
              </span>
            ) : (
              w.newRow
            )}
            {isOfThePast(one) && <span className="ml-2 text-ink3 text-meta">{w.asOfDay(format.day(one.as_of))}</span>}
            <KnownTag of={one} />
          </>
        ),
        below: ({ created_at: at, model_id: id }) => (
          <>
            <Moment at={at} /> · {models.get(id)?.name ?? id}
          </>
        ),
        // What is written to a file is what is shown.
        text: ({ entity }) => entity && (withoutCpf(entity.key) as string),
      },
      {
        key: 'model',
        head: w.model,
        width: 'minmax(110px, 1fr)',
        isMinor: true,
        cell: ({ model_id: id, alias }) => (
          <>
            {models.get(id)?.name ?? id} {alias && <span className="text-ink3">{alias}</span>}
          </>
        ),
        text: ({ model_id: id }) => models.get(id)?.name ?? id,
      },
      {
        key: 'answer',
        head: w.answer,
        width: 'minmax(124px, 0.7fr)',
        isRight: true,
        cell: (one) => <b className="font-semibold">{answerOf(one)}</b>,
        below: ({ band }) => band && <Band name={band} />,
        text: (one) => headlineValue(outputsOf(one)),
      },
      {
        key: 'band',
        head: w.band,
        width: 'minmax(184px, 1fr)',
        isMinor: true,
        cell: ({ band, ...one }) => {
          const { score } = outputsOf(one);
          return (
            band && (
              <span className="flex items-center gap-3">
                {typeof score === 'number' && !isNarrow && <ScoreStrip score={score} isSmall />}
                <Band name={band} />
              </span>
            )
          );
        },
        text: ({ band }) => band,
        sheetText: ({ band }) => {
          const known = band && bandByName(band);
          return known ? bandNames[known.key] : band;
        },
      },
      {
        key: 'latency_ms',
        head: w.latency,
        width: '84px',
        isRight: true,
        isMinor: true,
        cell: ({ latency_ms: ms }) => (ms === null ? '' : format.duration(ms)),
        text: ({ latency_ms: ms }) => ms,
      },
    ],
    [answerOf, models, isNarrow, w, bandNames, format],
  );
}
