/** An address of every page, with objects of the lender; test support. */
import { pageGroups } from '../src/shell/page-list.ts';
import type { Lender } from './lender.ts';

/** The pages of the menu, and those that lead on from them. */
export function pagePaths(lender: Lender): string[] {
  const { model, versions, task, batch, webhook, run, ingestion, contract, evaluation, prediction, watchList } = lender;
  const listed = pageGroups.flatMap(({ pages }) => pages.map(({ to }): string => to));
  return [
    ...listed,
    `/predictions?open=${prediction}`,
    '/predictions/replays',
    '/watch-lists',
    `/watch-lists/${watchList}`,
    `/watch-lists/${watchList}?tab=moves`,
    '/batches/new',
    `/batches/${batch}`,
    `/models/${model}`,
    `/models/${model}/versions/${versions[0]}`,
    `/models/${model}/versions/${versions[1]}?tab=validation`,
    `/models/${model}/versions/${versions[1]}?tab=backtests`,
    `/models/${model}/versions/${versions[1]}?tab=shadow`,
    `/models/${model}/compare?base=${versions[0]}&candidate=${versions[1]}`,
    `/training-runs/${run}`,
    `/evaluations/${evaluation}`,
    '/tasks/new',
    `/tasks/${task}`,
    `/data/contracts/${contract}`,
    `/data/ingestions/${ingestion}`,
    '/data/tables/order',
    '/data/send',
    '/entities/customer/c0',
    `/webhooks/${webhook}`,
  ];
}
