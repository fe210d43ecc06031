/** Predictions of the log, asked again with what they were asked with; test support. */
import type pg from 'pg';
import { expect } from 'vitest';
import type { Client } from './service.ts';

/** Rows as the owner of a database sees them. */
export type Query = <T extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<T[]>;

export type Logged = {
  readonly id: string;
  readonly workspace_id: string;
  readonly model_id: string;
  readonly version_id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>> & { readonly generated_at: string };
  /** The outputs to the byte, but for what no two answers have the same: the id, and the moment it was made at. */
  readonly told: string;
};

/** All that the log has, oldest first. */
export function readLog(query: Query): Promise<Logged[]> {
  return query<Logged>(`
    select id, workspace_id, model_id, version_id, inputs, outputs,
      (outputs - 'prediction_id' - 'generated_at')::text as told
    from predictions where erased_at is null order by outputs ->> 'generated_at', id`);
}

/**
 * Asks each again with the same inputs, of the same version and for the same parts of an answer. `before` is told of
 * each before it is asked. Returns the ids of the new answers, in order.
 */
export async function askAgain(
  logged: readonly Logged[],
  clientOf: (workspaceId: string) => Client,
  before: (one: Logged) => void = () => {},
): Promise<string[]> {
  const ids: string[] = [];
  for (const one of logged) {
    before(one);
    const { workspace_id, model_id, version_id, inputs, outputs } = one;
    const parts = ['explanation', 'interval', 'unknown'].filter((part) => part in outputs);
    const query = new URLSearchParams({
      ...(parts.length > 0 && { include: parts.join(',') }),
      ...(typeof outputs.language === 'string' && { language: outputs.language }),
    });
    const asked = await clientOf(workspace_id).post(`/v1/api/prediction/${model_id}/${version_id}?${query}`, inputs);
    expect(asked.status, asked.text).toBe(200);
    ids.push(asked.body.prediction_id);
  }
  return ids;
}

/** The log has the same of each as of the one it was asked after. */
export async function expectSameAnswers(query: Query, logged: readonly Logged[], ids: readonly string[]) {
  const told = new Map((await readLog(query)).map((one) => [one.id, one.told]));
  expect(ids.map((id) => told.get(id))).toEqual(logged.map((one) => one.told));
}
