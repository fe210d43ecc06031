import { readFile } from 'node:fs/promises';
import type { Context } from '../../access/context.ts';
import { tenant } from '../../access/transactions.ts';
import { type Page, readPage } from '../../api/list.ts';
import { refuse } from '../../errors.ts';
import type { ModelFeature } from '../../ml/explain/model-features.ts';
import { reportFile } from '../../ml/version/report-file.ts';
import type { App } from '../app.ts';
import { requireVersion } from './require.ts';

type Language = Context['language'];

/** A feature in words of one language. */
type SaidFeature = Omit<ModelFeature, 'said'> & { readonly language: Language };

/**
 * A page of what a version (an id, number or alias) of a model (an id or name) reads, most important first, from the
 * report that was written with it; in the language asked for, or that of the workspace. Throws Failure 'not_found'
 * where there is no such version, or where it was made before reports had the list; 'object_damaged'.
 */
export async function listFeatures(
  app: App,
  ctx: Context,
  model: string,
  version: string,
  { language = ctx.language, ...query }: { limit?: number; cursor?: string; language?: Language },
): Promise<Page<SaidFeature>> {
  const { id, storage_prefix, files } = await tenant(app.db, ctx, (tx) => requireVersion(tx, model, version));
  const path = await app.storage.localPath(`${storage_prefix}${reportFile}`, files[reportFile]);
  // Our own file: a version has some hundred features, and a few recipes that were tried.
  const { features } = JSON.parse(await readFile(path, 'utf8')) as { features: number | readonly StoredFeature[] };
  if (typeof features === 'number')
    throw refuse(
      'not_found',
      `version ${version} was made before versions kept what they read: train the model again to see it`,
    );
  const rows = features.map((feature, place) => ({ id: String(place), feature }));
  return readPage(
    app.keys.cursors,
    [ctx.workspaceId, 'features', id],
    query,
    async (last, most) => {
      const from = last === null ? 0 : Number(last) + 1;
      return rows.slice(from, from + most);
    },
    ({ feature }) => sayIn(language, feature),
  );
}

/** Versions that were made before features were worded in other languages have the English words alone. */
type StoredFeature = Omit<ModelFeature, 'said'> & Partial<Pick<ModelFeature, 'said'>>;

function sayIn(language: Language, { said, ...feature }: StoredFeature): SaidFeature {
  if (language === 'en' || !said) return { ...feature, language: 'en' };
  return { ...feature, description: said[language], language };
}
