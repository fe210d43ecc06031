import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useClient } from '../api/session.tsx';
import { useList } from '../api/use-data.ts';
import { buttonClass } from '../kit/button.tsx';
import { CodeButton } from '../kit/code.tsx';
import { ExportButton, ListTable } from '../kit/list.tsx';
import { Moment } from '../kit/moment.tsx';
import { Page } from '../kit/page.tsx';
import { Empty } from '../kit/states.tsx';
import { Progress, Status, Tag } from '../kit/status.tsx';
import type { Column } from '../kit/table.tsx';
import { sayMetric } from '../models/figures.ts';
import { metricWords, nameOfMetric } from '../models/metric-names.ts';
import { pageNames } from '../shell/pages.ts';
import { common } from '../words/common.ts';
import { type Format, useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { type Evaluation, firstShown, isUnderWay, nameOf, useMayEvaluate, useModels } from './use-evaluations.ts';
import { evaluationWords } from './words.ts';

const pageSize = 100;
const watchedEveryMs = 2_000;

export function Evaluations() {
  const w = useWords(evaluationWords);
  const { evaluations: title } = useWords(pageNames);
  const client = useClient();
  const mayEvaluate = useMayEvaluate();
  const navigate = useNavigate();
  const list = useList(
    ['evaluations', 'list'],
    (cursor, signal) => client.evaluations.list({ limit: pageSize, ...(cursor ? { cursor } : {}) }, { signal }),
    { everyMs: (rows) => (rows.some(isUnderWay) ? watchedEveryMs : false) },
  );
  const columns = useColumns();
  // Status and time stand below the version; of their own in files.
  const shown = useMemo(() => columns.filter(({ key }) => key !== 'status' && key !== 'created_at'), [columns]);
  const newOne = mayEvaluate && (
    <Link to="/evaluations/new" className={buttonClass('primary')}>
      {w.newOne}
    </Link>
  );
  return (
    <Page
      isWide
      title={title}
      description={w.description}
      actions={
        <>
          <CodeButton
            request={{ method: 'GET', path: '/v1/api/evaluations', typescript: 'lastro.evaluations.list()' }}
          />
          <ExportButton name="evaluations.csv" list={list} columns={columns} />
          {newOne}
        </>
      }
    >
      <ListTable
        list={list}
        label={title}
        isTall
        columns={shown}
        keyOf={({ id }) => id}
        onOpen={({ id }) => navigate({ to: '/evaluations/$evaluation_id', params: { evaluation_id: id } })}
        empty={
          <Empty title={w.first} action={newOne}>
            {w.firstBody}
          </Empty>
        }
      />
    </Page>
  );
}

function useColumns(): readonly Column<Evaluation>[] {
  const w = useWords(evaluationWords);
  const c = useWords(common);
  const m = useWords(metricWords);
  const format = useFormat();
  const models = useModels();
  return useMemo(
    (): readonly Column<Evaluation>[] => [
      {
        key: 'model',
        head: w.evaluated,
        width: 'minmax(184px, 1.3fr)',
        cell: ({ model }) => <span className="font-medium">{nameOf(model, models)}</span>,
        below: ({ status, created_at: at }) => (
          <span className="inline-flex gap-2">
            <Status of={status} />
            <Moment at={at} />
          </span>
        ),
        text: ({ model }) => nameOf(model, models),
      },
      {
        key: 'compare_with',
        head: w.against,
        width: 'minmax(120px, 1fr)',
        isMinor: true,
        cell: ({ compare_with: other }) => (other ? nameOf(other, models) : <span className="text-ink3">—</span>),
        text: ({ compare_with: other }) => other && nameOf(other, models),
      },
      {
        key: 'file',
        head: w.file,
        width: 'minmax(120px, 1.2fr)',
        isMinor: true,
        cell: ({ path }) => <bdi title={path}>{path}</bdi>,
        text: ({ path }) => path,
      },
      {
        key: 'status',
        head: c.status,
        width: '132px',
        isMinor: true,
        cell: ({ status }) => <Status of={status} />,
        text: ({ status }) => status,
      },
      {
        key: 'result',
        head: w.howGood,
        width: 'minmax(150px, 1.6fr)',
        cell: (evaluation) => {
          if (isUnderWay(evaluation)) return <Progress share={evaluation.fraction} label={w.progress} />;
          const { outputs = [], learned = null } = evaluation.result ?? {};
          const output = firstShown(outputs);
          const value = (output?.later ?? output?.all)?.model.metrics[output!.metric]?.value;
          if (output === undefined || value === undefined) return <span className="text-ink3">—</span>;
          const isLearned = learned !== null && learned.rows > 0 && !output.later;
          const [said, about] = [
            sayPlainly(output.metric, value, w, format),
            m.about as Readonly<Record<string, string>>,
          ];
          return (
            <span className="block min-w-0">
              {/* What was learned from says little of later rows, and does not stand as if it did. */}
              <span className="block truncate">
                {said !== null && <span className={isLearned ? 'text-ink3' : 'font-medium'}>{said} </span>}
                {isLearned && (
                  <span title={w.learned}>
                    <Tag tone="warn">{w.learnedFrom}</Tag>
                  </span>
                )}
              </span>
              <span className="block truncate text-ink3 text-meta" title={about[output.metric]}>
                {nameOfMetric(m.names, output.metric)} {sayMetric(value, format)}
                {outputs.length > 1 && ` · ${output.name}`}
              </span>
            </span>
          );
        },
      },
      {
        key: 'created_at',
        head: w.asked,
        width: '128px',
        isMinor: true,
        cell: ({ created_at: at }) => <Moment at={at} />,
        text: ({ created_at: at }) => at,
      },
    ],
    [w, c, m, format, models],
  );
}

/** A metric in words of who does not know its name; null of one that says little in words. */
function sayPlainly(
  metric: string,
  value: number | null,
  w: (typeof evaluationWords)['en'],
  format: Format,
): string | null {
  if (value === null) return null;
  const ofHundred = format.integer(100 * value);
  if (metric === 'auroc') return w.rightPairs(ofHundred);
  if (metric === 'multiclass_accuracy' || metric === 'accuracy') return w.rightClasses(ofHundred);
  return metric === 'mae' ? w.offBy(sayMetric(value, format)) : null;
}
