/** A task given to the service over HTTP, and trained there; test support. */
import { expect } from 'vitest';
import type { Client, Reply } from './service.ts';

export type TaskTexts = {
  readonly name: string;
  readonly definition: string;
  /** CSV; none where the definition says what the labels are. */
  readonly labels?: { readonly train: string; readonly validation?: string };
};

/** Trains a task as the model of its name, with `production` at the version; returns the task and the run. */
export async function trainTask(
  client: Client,
  texts: TaskTexts,
): Promise<{ task: Reply['body']; run: Reply['body'] }> {
  const task = await defineTask(client, texts);
  const started = await client.post('/v1/api/training-runs', { task_id: task.id, alias: 'production' });
  const { body: run, text } = await client.finished(`/v1/api/training-runs/${started.body.id}`);
  expect(run, text).toMatchObject({ status: 'succeeded' });
  return { task, run };
}

/** Uploads a task's labels and defines it. */
export async function defineTask(client: Client, { name, definition, labels }: TaskTexts): Promise<Reply['body']> {
  const files: Record<string, string> = {};
  for (const [part, text] of Object.entries(labels ?? {}))
    files[part] = await client.upload(`${name}-${part}.csv`, text);
  const task = await client.post('/v1/api/tasks', { name, definition, ...(labels ? { labels: files } : {}) });
  expect(task.status, task.text).toBe(201);
  return task.body;
}
