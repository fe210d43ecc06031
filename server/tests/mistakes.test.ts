/**
 * Forty mistakes that people make, each with the text it gets, which must name what is wrong and what to do. They are
 * the page docs/when-it-says-no.md: `npm test -- mistakes -u` writes it anew.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contractMistakes } from './mistakes/contracts.ts';
import { fileMistakes } from './mistakes/files.ts';
import { lasting, type Mistake, type Place, type Told } from './mistakes/mistake.ts';
import { predictionMistakes } from './mistakes/predictions.ts';
import { taskMistakes } from './mistakes/tasks.ts';
import type { TestService } from './service.ts';
import { startShop } from './support/samples/batches.ts';

const areas: readonly (readonly [string, readonly Mistake[]])[] = [
  ['Files', fileMistakes],
  ['Contracts', contractMistakes],
  ['Tasks', taskMistakes],
  ['Predictions and batches', predictionMistakes],
];

let service: TestService;
let place: Place;
const told = new Map<Mistake, Told>();

beforeAll(async () => {
  const { tenant, client, returns, ...shop } = await startShop();
  service = shop.service;
  const { body: task } = await client.get('/v1/api/tasks/returns');
  place = { service, tenant, client, version: returns.version_id, labels: task.labels };
});
afterAll(() => service.close());

describe.each(areas)('%s', (_, mistakes) => {
  test.each(mistakes)('$did', async (mistake) => {
    const said = await mistake.make(place);
    told.set(mistake, said);
    expect(said.code, said.texts.join('\n')).toBe(mistake.code);
    for (const pattern of mistake.says) expect(said.texts.join('\n')).toMatch(pattern);
  });
});

test('the page shows them', async () => {
  const sections = areas.map(([area, mistakes]) => `## ${area}\n\n${mistakes.map(shown).join('\n')}`);
  const page = join(import.meta.dirname, '../../docs/when-it-says-no.md');
  await expect(`${introduction}\n${sections.join('\n')}`).toMatchFileSnapshot(page);
});

const introduction = `# When it says no

Forty mistakes that are easy to make, and what each gets to hear. Ids and moments are left out (\`…\`). Refusals by HTTP have their status and
[code](api-errors.md), and nothing is changed by them; of ingestions, runs and batches it is said how they end. The page is written by the test that makes these mistakes.
`;

function shown(mistake: Mistake): string {
  const { code, texts } = told.get(mistake)!;
  const lines = texts.map((text) => `> ${lasting(text).replace(/\n/g, ' ')}`);
  return `**${mistake.did}**: ${code}\n\n${lines.join('\n>\n')}\n`;
}
