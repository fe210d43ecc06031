import { Type } from 'typebox';
import { answerOf, objectOf } from '../../api/named.ts';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { embeddingColumns } from '../../ml/rfm/network.ts';
import type { Answering } from './about.ts';
import { embed } from './embed.ts';
import { embeddingsExample, mapExample, neighborsExample } from './example.ts';
import { findNeighbors } from './find-neighbors.ts';
import { mapEmbeddings, mappedDefault, mappedMax } from './map.ts';

export const keysMax = 1_000;
export const neighborsMax = 100;
export const keyLengthMax = 1_000;
/** What both routes refuse, beyond what follows from their schemas. */
const problems = [
  'invalid',
  'invalid_input',
  'reference_date_in_future',
  'not_found',
  'no_data',
  'no_encoder',
  'budget_exceeded',
  'object_damaged',
  'quota_exceeded',
] as const;
const keySchema = Type.Union([Type.String({ minLength: 1, maxLength: keyLengthMax }), Type.Number()]);
const sourced = {
  source: Type.Optional(
    Type.Union([Type.Literal('rfm'), Type.Literal('gfm')], {
      description:
        "rfm, the default: the workspace's own relational model, by the keys of a table. gfm: the graph model, by the identifiers of its graph.",
    }),
  ),
  kind: Type.Optional(
    Type.Union([Type.Literal('company'), Type.Literal('individual'), Type.Literal('asset')], {
      description: 'Of the graph: which kind the identifiers are of, and those that are found.',
    }),
  ),
};
const which = {
  entity: Type.Optional(shortText('The table of the entities; not needed where one table alone has an encoder.')),
  rfm_version_id: Type.Optional(shortText('Another version than the newest of the table.')),
  reference_date: Type.Optional(shortText('As of the end of this day; of now by default.')),
};
const about = {
  source: Type.String(),
  entity: Type.Optional(Type.String()),
  rfm_version_id: Type.Optional(Type.String()),
  gfm_version_id: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String({ description: 'Of the graph: of those that were found.' })),
  as_of: Type.String(),
};
const metadata = {
  model_snapshot: Type.String({ description: 'Vectors of one snapshot can be compared, and no others.' }),
  generated_at: Type.String(),
};

export const embeddingRoutes = (app: Answering): Route[] => [
  route(
    {
      method: 'POST',
      path: '/v1/api/embeddings',
      operation: 'embeddings.create',
      summary: `Entities as vectors of ${embeddingColumns} numbers`,
      description:
        'Vectors have length 1; compare them by cosine. The first 512, 256, 128, 64, 32 or 16 numbers are the best of their length.',
      ...{ access: 'invoke_predictions', realTime: true },
      body: Type.Object(
        {
          ...sourced,
          ...which,
          keys: Type.Array(keySchema, { minItems: 1, maxItems: keysMax }),
          encoding: Type.Optional(
            Type.Union([Type.Literal('float'), Type.Literal('base64')], {
              description: 'base64: float32, little-endian.',
            }),
          ),
        },
        {
          title: 'EmbeddingsRequest',
          additionalProperties: false,
          examples: [{ keys: ['11222333000181', '99888777000166'], reference_date: '2026-01-31', encoding: 'base64' }],
        },
      ),
      problems,
      answers: {
        200: answerOf('Embeddings', embeddingsExample, {
          ...about,
          data: Type.Array(
            objectOf('Embedding', {
              key: keySchema,
              vector: Type.Union([Type.Array(Type.Number()), Type.String(), Type.Null()], {
                description: 'Null where the entity was not known by then.',
              }),
              ...metadata,
              dimension: Type.Integer(),
              data_coverage: Type.String({ enum: ['full', 'none'] }),
            }),
          ),
        }),
      },
    },
    (ctx, { body }) => embed(app, ctx, body),
  ),
  route(
    {
      method: 'POST',
      path: '/v1/api/embeddings/neighbors',
      operation: 'embeddings.findNeighbors',
      summary: 'The entities most like one of them',
      description: 'Of the graph: of the same kind.',
      ...{ access: 'invoke_predictions', realTime: true },
      body: Type.Object(
        {
          ...sourced,
          ...which,
          key: Type.Optional(keySchema),
          vector: Type.Optional(
            Type.Array(Type.Number(), {
              minItems: embeddingColumns,
              maxItems: embeddingColumns,
              description: 'Instead of a key. Of the graph: with its kind.',
            }),
          ),
          limit: Type.Optional(Type.Integer({ minimum: 1, maximum: neighborsMax })),
        },
        { title: 'NeighborsRequest', additionalProperties: false, examples: [{ key: '11222333000181', limit: 5 }] },
      ),
      problems: [...problems, 'too_many_entities'],
      answers: {
        200: answerOf('Neighbors', neighborsExample, {
          ...about,
          ...metadata,
          data: Type.Array(
            objectOf('Neighbor', { key: keySchema, similarity: Type.Number({ description: 'Cosine, from -1 to 1.' }) }),
          ),
        }),
      },
    },
    (ctx, { body }) => findNeighbors(app, ctx, body),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/embeddings/map',
      operation: 'embeddings.getMap',
      summary: 'The entities of a table in two dimensions, as their vectors lie',
      description:
        'The two axes along which the vectors of the sample differ most: near each other is who is alike. The same encoder, data and day give the same points. It counts as one embedding.',
      ...{ access: 'invoke_predictions', realTime: true },
      query: Type.Object({
        ...which,
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: mappedMax,
            description: `At most so many entities, drawn evenly, the same each time; ${mappedDefault} by default.`,
          }),
        ),
      }),
      problems: problems.filter((code) => code !== 'invalid'),
      answers: {
        200: answerOf('EmbeddingMap', mapExample, {
          ...about,
          ...metadata,
          entities: Type.Integer({ description: 'How many were known by then; the sample is of these.' }),
          explained: Type.Array(Type.Number(), {
            description: 'The share of the spread of the vectors that x shows, and y.',
          }),
          data: Type.Array(
            objectOf('EmbeddingPoint', {
              key: Type.Union([...keySchema.anyOf, Type.Null()], {
                description: 'Null where it says who a person is.',
              }),
              x: Type.Number(),
              y: Type.Number(),
            }),
          ),
        }),
      },
    },
    (ctx, { query }) => mapEmbeddings(app, ctx, query),
  ),
];
