import { Type } from 'typebox';
import { pageQuery } from '../../api/list.ts';
import { type Route, route } from '../../api/route.ts';
import type { App } from '../app.ts';
import { listRows } from './list-rows.ts';
import { tableRowsSchema } from './table.ts';

const keyLengthMax = 500;

export const tableRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/tables/{table}/rows',
      operation: 'tables.listRows',
      summary: 'The rows of a table, as the data hold them now',
      description:
        'In the order in which they came, or by their date (order); of a row that a file has changed, its newest version. Values are exact: numbers unrounded, days as 2024-12-31, timestamps on the clocks of the contract. Personal data are never told, and rows that name somebody who was erased are left out. Pages are of the state of the data that the first of them found. The audit log has who read how many rows of which table.',
      // Rows are what files hold. Of wider rights, that of invoking predictions tells keys, and no other a value.
      access: 'download_files',
      params: Type.Object({ table: Type.String({ description: 'Its name in the contract.' }) }),
      query: Type.Object({
        ...pageQuery,
        key: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: keyLengthMax,
            description:
              'The rows with this key alone; of a key of several columns, the first of them. Some 30 million rows are looked through for a page: one that has_more and fewer rows than asked for goes on after these. Keys that say who people are find nothing: ask for the entity.',
          }),
        ),
        key_prefix: Type.Optional(
          Type.String({ minLength: 1, maxLength: keyLengthMax, description: 'The same by how the key begins.' }),
        ),
        order: Type.Optional(
          Type.String({
            enum: ['arrival', 'newest', 'oldest'],
            default: 'arrival',
            description:
              'newest, oldest: of the whole table by the column that dates its rows; those without a date are left out. For tables that have such a column and came in 1,024 files at most.',
          }),
        ),
      }),
      problems: ['no_data', 'entity_erased', 'budget_exceeded', 'object_damaged'],
      answers: { 200: tableRowsSchema },
    },
    async (ctx, { params: { table }, query, ensure }) => {
      const body = await listRows(app, ctx, table, query);
      await ensure();
      return { status: 200, body };
    },
  ),
];
