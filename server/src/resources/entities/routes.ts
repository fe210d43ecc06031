import { Type } from 'typebox';
import { type Route, route } from '../../api/route.ts';
import { shortText } from '../../api/texts.ts';
import { entitiesSchema, entitySchema, networkSchema, pathSchema } from './entity.ts';
import {
  describeEntity,
  type Exploring,
  foundMax,
  hopsMax,
  networkOf,
  pathBetween,
  pathHopsMax,
  searchEntities,
} from './explore.ts';

const problems = [
  'invalid_input',
  'reference_date_in_future',
  'not_found',
  'budget_exceeded',
  'object_damaged',
] as const;
const params = Type.Object({
  table: Type.String({ description: 'The table of the entity.' }),
  key: Type.String({ description: 'Its key, as the tables have it.' }),
});
const dated = { reference_date: Type.Optional(shortText('As of the end of this day; of now by default.')) };
const hops = (most: number, description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: most, description }));
const strength = 'Two are tied by rows that both lead to: a device, an address, an account, an event of both.';

export const entityRoutes = (app: Exploring): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/entities',
      operation: 'entities.find',
      summary: 'Entities whose keys begin with a text',
      description:
        'In order of their rows; one with just this key leads. A CPF or CNPJ is found with its punctuation and without, however the data write it. Of a table whose keys say who people are, only one that has just this key is found.',
      access: 'invoke_predictions',
      query: Type.Object({
        table: Type.Optional(shortText('The table; by default all tables of entities.')),
        query: Type.Optional(shortText('What keys begin with.')),
        limit: Type.Optional(Type.Integer({ minimum: 1, maximum: foundMax })),
        ...dated,
      }),
      problems,
      answers: { 200: entitiesSchema },
    },
    async (ctx, { query }) => ({ status: 200, body: await searchEntities(app, ctx, query) }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/entities/{table}/{key}',
      operation: 'entities.get',
      summary: 'One entity: since when it is known, what refers to it, and what it refers to',
      access: 'invoke_predictions',
      params,
      query: Type.Object(dated),
      problems,
      answers: { 200: entitySchema },
    },
    async (ctx, { params, query }) => ({ status: 200, body: await describeEntity(app, ctx, params, query) }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/entities/{table}/{key}/network',
      operation: 'entities.getNetwork',
      summary: 'Who of the same table is tied to an entity, by what, how often and since when',
      description: strength,
      access: 'invoke_predictions',
      params,
      query: Type.Object({ hops: hops(hopsMax, 'How many ties away; 1 by default.'), ...dated }),
      problems,
      answers: { 200: networkSchema },
    },
    async (ctx, { params, query }) => ({ status: 200, body: await networkOf(app, ctx, params, query) }),
  ),
  route(
    {
      method: 'GET',
      path: '/v1/api/entities/{table}/{key}/path/{to}',
      operation: 'entities.getPath',
      summary: 'A shortest path of ties between two entities of a table',
      description: strength,
      access: 'invoke_predictions',
      params: Type.Object({
        ...params.properties,
        to: Type.String({ description: 'The key of the other entity, of the same table.' }),
      }),
      query: Type.Object({ hops: hops(pathHopsMax, `At most so many ties; ${pathHopsMax} by default.`), ...dated }),
      problems,
      answers: { 200: pathSchema },
    },
    async (ctx, { params, query }) => ({ status: 200, body: await pathBetween(app, ctx, params, query) }),
  ),
];
