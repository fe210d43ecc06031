import { Type } from 'typebox';
import type { Context } from '../../../access/context.ts';
import { type Route, route } from '../../../api/route.ts';
import { shortTextMax } from '../../../api/texts.ts';
import { segmentsMax } from '../../../ml/evaluation/segments.ts';
import type { App } from '../../app.ts';
import { languageText } from '../../workspaces/workspace.ts';
import { modelName } from '../model.ts';
import { makeDocument } from './make.ts';
import { readTold } from './told.ts';
import { writeMarkdown } from './write-markdown.ts';
import { pageHeaders, writePage } from './write-page.ts';

export const modelDocumentRoutes = (app: App): Route[] => [
  route(
    {
      method: 'GET',
      path: '/v1/api/models/{model_id}/versions/{version_id}/document',
      operation: 'modelVersions.getDocument',
      summary: 'The model document of a version: purpose, data, performance, limits, fairness, history',
      description:
        'With the headings that supervisors of models ask for. Everything in it was stored or measured; what was not says so. As Markdown, or as a page to print: by format, or else by Accept.',
      access: 'view_models',
      params: Type.Object({
        model_id: modelName(),
        version_id: Type.String({ description: 'Id or number of a version, or an alias that points at it.' }),
      }),
      query: Type.Object({
        format: Type.Optional(Type.Union([Type.Literal('markdown'), Type.Literal('html')])),
        language: Type.Optional(
          Type.Union(languageText.anyOf, { description: 'Of the document; that of the workspace by default.' }),
        ),
        segments: Type.Optional(
          Type.String({
            maxLength: segmentsMax * (shortTextMax + 1),
            description:
              'Columns whose values are told apart, comma-separated: by the newest evaluation of the version that has each. Those of its newest evaluation by default.',
          }),
        ),
      }),
      produces: 'text/markdown',
      example: '# Model document: credit, version 3\n\n…\n\n## 1. Purpose and use\n\n…\n',
      problems: ['object_damaged'],
      answers: { 200: null },
    },
    async (ctx, { params: { model_id, version_id }, query: { format, language, segments }, exchange }) => {
      const named =
        segments === undefined
          ? null
          : segments
              .split(',')
              .map((one) => one.trim())
              .filter(Boolean);
      const told = await readTold(app, ctx, { model: model_id, name: version_id, segments: named });
      const document = makeDocument(told, (language as Context['language'] | undefined) ?? ctx.language);
      const isPage = format === undefined ? prefersHtml(String(exchange.headers.accept ?? '')) : format === 'html';
      return isPage
        ? { status: 200, headers: pageHeaders, body: writePage(document) }
        : {
            status: 200,
            headers: { 'content-type': 'text/markdown; charset=utf-8' },
            body: writeMarkdown(document),
          };
    },
  ),
];

/** Browsers name text/html; a client that takes anything gets Markdown. */
function prefersHtml(accept: string): boolean {
  return /\btext\/html\b/i.test(accept);
}
