import { Type } from 'typebox';
import { tenant } from '../../access/transactions.ts';
import { pageQuery } from '../../api/list.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import type { App } from '../app.ts';
import { requirePrediction } from '../predictions/require.ts';
import { fileLineageSchema } from './file-lineage.ts';
import { fileLineage } from './of-file.ts';
import { type LineageQuery, predictionLineage } from './of-prediction.ts';
import { predictionLineageSchema } from './prediction-lineage.ts';

export const lineageRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/predictions/{id}/lineage',
      operation: 'predictions.getLineage',
      summary: 'From which rows of which files the factors of an answer were computed',
      description:
        'The version that answered is asked once more, over the data that it answered from and as of then: without factor, how many features and rows each factor comes from; with one, what each of its features was computed from, row by row. Nothing that became known later is among them. Values are told to those who may download files, and files to those who may view them; keys that say who people are, and rows that name somebody who was erased, to nobody. The audit log has of which tables values were told. Answers of several classes have no factors.',
      access: 'invoke_predictions',
      params: Type.Object({ id: Type.String() }),
      query: Type.Object({
        ...pageQuery,
        factor: Type.Optional(shortText('Its code, as in explanation.')),
        language: Type.Optional(
          Type.String({ enum: ['en', 'pt-BR'], description: 'That of the workspace by default.' }),
        ),
      }),
      problems: ['entity_erased', 'pin_gone', 'budget_exceeded', 'object_damaged'],
      answers: { 200: predictionLineageSchema },
    },
    async (ctx, { params: { id }, query, ensure }) => {
      const row = await tenant(app.db, ctx, (tx) => requirePrediction(tx, id, app.retentionDays));
      const body = await predictionLineage(app, ctx, row, query as LineageQuery);
      await ensure();
      return { status: 200, body };
    },
  ),
  route(
    {
      method: 'GET',
      path: '/v2/api/files/{id}/lineage',
      operation: 'files.getLineage',
      summary: 'What a file was read by: ingestions, snapshots, versions of models, predictions and batches',
      description:
        'A file is read as rows of tables, from the ingestion that took it in to every snapshot that still has rows of it, and so to the versions that learned from one of these and the predictions and batches that were answered from one; as labels of tasks; and as the rows of batches and evaluations. predictions and batches count what was answered from snapshots that have rows of it, those of a version what it answered; scored_in and evaluated_in the batches and evaluations whose rows it has. The page is of versions, newest first. It tells of the file also when its bytes are gone.',
      access: 'view_files',
      params: Type.Object({ id: Type.String() }),
      query: Type.Object(pageQuery),
      answers: { 200: fileLineageSchema },
    },
    async (ctx, { params: { id }, query }) => ({ status: 200, body: await fileLineage(app, ctx, id, query) }),
  ),
];
