/**
 * Takes pictures of every screen, in both themes and both languages, of a service that runs, and writes them with their
 * index to docs/dashboard:
 *
 *     npm start                                              # says a link: …/sign-in#lso_…
 *     npm run pictures -w dashboard -- --token lso_…         # of http://localhost:4000, or of LASTRO_BASE_URL
 *
 * `--only predictions,network` takes those alone and leaves the others as they are. The language of the person who is
 * signed in is changed meanwhile, and put back.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { versionTabs } from './src/models/version-tabs.ts';
import { pageGroups } from './src/shell/page-list.ts';
import { launchChromium } from './tests/chromium.ts';

type Screen = {
  readonly name: string;
  readonly path: string;
  /** Also on a phone. */
  readonly isSmall?: boolean;
  readonly isSignedOut?: boolean;
  /** What is done before the picture is taken. */
  act?(page: Page): Promise<void>;
};

const base = process.env.LASTRO_BASE_URL ?? 'http://localhost:4000';
const folder = join(import.meta.dirname, '..', 'docs', 'dashboard');
type Language = (typeof languages)[number];
type Theme = (typeof themes)[number];
const languages = ['en', 'pt-BR'] as const;
const themes = ['light', 'dark'] as const;
const sizes = { '': { width: 1440, height: 900 }, '-phone': { width: 390, height: 844 } } as const;
/** Tabs of a version that tell of one beside the one that answers. */
const ofChallenger: ReadonlySet<string> = new Set(['validation', 'backtests', 'shadow']);
const onPhones: ReadonlySet<string> = new Set(['overview', 'predictions', 'batches', 'models', 'inbox']);
/** WebP at which thin text is still clean. */
const quality = 60;
const pauseMs = 250;
/** How often a page is looked at until it stands still, which a page that follows something never does. */
const looksMax = 12;
const networksMax = 20;
/** Of a page that computes while it is looked at. */
const waitMsMax = 120_000;

const { values: given } = parseArgs({ options: { token: { type: 'string' }, only: { type: 'string' } } });
const token = /lso_\w+/.exec(given.token ?? '')?.[0];
if (!token) throw new Error('--token lso_…: of the link that `npm start` says, which is good once');

const browser = await launchChromium();
if (!browser) process.exit(1);
try {
  const signedIn = await browser.newContext({ baseURL: base });
  const screens = await findScreens(await signIn(signedIn, token));
  const only = given.only?.split(',');
  if (!only) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { language: own } = await (await signedIn.request.get('/v1/api/user')).json();
  for (const language of languages) {
    await speak(signedIn, language);
    for (const screen of screens)
      if (!only || only.includes(screen.name)) await picture(browser, signedIn, screen, language);
  }
  await speak(signedIn, own);
  writeFileSync(join(folder, 'README.md'), indexOf(screens));
} finally {
  await browser.close();
}

/** An object of a list of the API, with what screens lead on by. */
type Found = {
  readonly id: string;
  readonly status?: string;
  readonly aliases?: readonly { readonly alias: string; readonly version_id: string }[];
  readonly entity?: { readonly table: string; readonly key: string } | null;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly compare_with?: unknown;
};
/** Reads an answer of the API. */
type Read = (path: string) => Promise<{
  readonly data: readonly Found[];
  readonly nodes: readonly unknown[];
  readonly total?: { readonly count: number };
}>;

/** Signs in, and gives what reads in the first workspace and its organization. */
async function signIn(context: BrowserContext, token: string): Promise<Read> {
  const headers = { origin: base };
  const answer = await context.request.post('/v1/api/sessions/link', { data: { token }, headers });
  if (answer.status() !== 201) throw new Error(`signing in: ${await answer.text()}`);
  const { workspaces } = await (await context.request.get('/v1/api/user')).json();
  const { id: workspace, organization_id: organization } = workspaces[0];
  return async (path) => {
    const place: Record<string, string> = path.includes('/organization/')
      ? { 'lastro-organization': organization }
      : { 'lastro-workspace': workspace };
    const found = await context.request.get(path, { headers: place });
    if (!found.ok()) throw new Error(`${path}: ${await found.text()}`);
    return found.json();
  };
}

async function speak(context: BrowserContext, language: string): Promise<void> {
  const answer = await context.request.patch('/v1/api/user', { data: { language }, headers: { origin: base } });
  if (!answer.ok()) throw new Error(`changing the language: ${await answer.text()}`);
}

/** The pages of the menu, and those that lead on from them: of the model that most aliases name, or that is asked most. */
async function findScreens(read: Read): Promise<readonly Screen[]> {
  const get = async (path: string) => (await read(path)).data;
  const models = await Promise.all(
    (await get('/v1/api/models')).map(async (one) => {
      const { total } = await read(`/v1/api/predictions?limit=1&count=true&model_id=${one.id}`);
      return { ...one, asked: total!.count };
    }),
  );
  const [model] = models.sort((a, b) => b.aliases!.length - a.aliases!.length || b.asked - a.asked);
  if (!model) throw new Error('there is no model yet: wait until the demo has one');
  const lists = ['training-runs', 'evaluations', 'tasks', 'contracts', 'ingestions', 'webhooks', 'audit-entries'];
  const [predictions, batches, rfms, invoices, watchLists, ...others] = await Promise.all(
    [
      ...[`/v1/api/predictions?model_id=${model.id}`, '/v2/api/batches', '/v1/api/rfm-versions'],
      ...['/v1/api/organization/invoices', '/v1/api/watch-lists', ...lists.map((noun) => `/v1/api/${noun}`)],
    ].map(get),
  );
  const [runs, evaluations, tasks, contracts, ingestions, webhooks, entries] = others;
  const ended = (found: readonly Found[]) => found.find(({ status }) => status === 'succeeded') ?? found[0];
  const of = (name: string, found: Found | undefined, path: (id: string) => string, isSmall = false): Screen[] =>
    found ? [{ name, path: path(found.id), isSmall }] : [];
  const asked = await mostTied(predictions, read);
  const about = asked && pathOf(asked);
  const version = (model.aliases!.find(({ alias }) => alias === 'production') ?? model.aliases![0]).version_id;
  // What is asked of a version before it answers is shown of the newest one that does not.
  const other = (await get(`/v1/api/models/${model.id}/versions`)).find(({ id }) => id !== version)?.id;
  return [
    ...pageGroups.flatMap(({ pages }) =>
      pages.map(({ name, to }): Screen => ({ name, path: to, isSmall: onPhones.has(name) })),
    ),
    ...(asked ? [answered(model.id, asked.inputs!)] : []),
    ...of('prediction', asked, (id) => `/predictions?open=${id}`, true),
    { name: 'batch-new', path: '/batches/new' },
    ...of('batch', ended(batches), (id) => `/batches/${id}`),
    ...of('contract', contracts[0], (id) => `/data/contracts/${id}`),
    ...of('ingestion', ended(ingestions), (id) => `/data/ingestions/${id}`),
    ...(asked ? [{ name: 'table', path: `/data/tables/${asked.entity!.table}` }] : []),
    { name: 'data-send', path: '/data/send' },
    ...of('task', tasks[0], (id) => `/tasks/${id}`),
    { name: 'task-new', path: '/tasks/new' },
    ...of('training-run', ended(runs), (id) => `/training-runs/${id}`),
    { name: 'model', path: `/models/${model.id}`, isSmall: true },
    ...versionTabs.map((tab) => ({
      name: `version-${tab}`,
      path: `/models/${model.id}/versions/${(ofChallenger.has(tab) && other) || version}?tab=${tab}`,
    })),
    ...(other ? [{ name: 'compare', path: `/models/${model.id}/compare?base=${version}&candidate=${other}` }] : []),
    ...of('evaluation', ended(evaluations), (id) => `/evaluations/${id}`),
    { name: 'replays', path: '/predictions/replays' },
    { name: 'watch-lists', path: '/watch-lists' },
    ...of('watch-list', watchLists[0], (id) => `/watch-lists/${id}`),
    ...of('foundation-version', rfms[0], (id) => `/foundation?open=${id}`),
    ...(about
      ? ['facts', 'scores', 'network', 'similar'].map((tab) => ({
          name: `entity-${tab}`,
          path: `${about}?tab=${tab}`,
          isSmall: tab === 'network',
        }))
      : []),
    { name: 'inbox-preferences', path: '/inbox?tab=preferences' },
    ...of('webhook', webhooks[0], (id) => `/webhooks/${id}`),
    ...of('invoice', invoices[0], (id) => `/invoices/${id}`),
    ...of('audit-entry', entries[0], (id) => `/audit?open=${id}`),
    { name: 'roles', path: '/members?tab=roles' },
    { name: 'addresses', path: '/security?tab=addresses' },
    { name: 'command-menu', path: '/models', act: (page) => page.keyboard.press('Control+k') },
    { name: 'sign-in', path: '/sign-in', isSignedOut: true, isSmall: true },
    { name: 'sign-up', path: '/sign-up', isSignedOut: true },
  ];
}

/** The prediction about the entity that most others are tied to, among the newest. */
async function mostTied(predictions: readonly Found[], read: Read): Promise<Found | undefined> {
  const about = predictions.filter(({ entity }) => entity);
  const apart = [...new Map(about.map((one) => [pathOf(one), one])).values()].slice(0, networksMax);
  let most: { readonly one: Found; readonly ties: number } | undefined;
  for (const one of apart) {
    const { nodes } = await read(`/v1/api${pathOf(one)}/network`);
    if (!most || nodes.length > most.ties) most = { one, ties: nodes.length };
  }
  return most?.one;
}

function pathOf({ entity }: Found): string {
  return `/entities/${entity!.table}/${encodeURIComponent(entity!.key)}`;
}

/** The playground after somebody has asked. */
function answered(model: string, inputs: Readonly<Record<string, unknown>>): Screen {
  const search = new URLSearchParams({ model, inputs: JSON.stringify(inputs) });
  return {
    name: 'playground-answer',
    path: `/playground?${search}`,
    isSmall: true,
    async act(page) {
      const answer = page.waitForResponse(/\/prediction\//);
      await page.locator('form button[type=submit]').click();
      await answer;
    },
  };
}

/** A screen in one language: in its sizes, in both themes. */
async function picture(browser: Browser, signedIn: BrowserContext, screen: Screen, language: Language): Promise<void> {
  for (const [size, viewport] of Object.entries(sizes)) {
    if (size !== '' && !screen.isSmall) continue;
    const context = await browser.newContext({
      ...{ baseURL: base, viewport, locale: language, timezoneId: 'America/Sao_Paulo', reducedMotion: 'reduce' },
      ...(screen.isSignedOut ? {} : { storageState: await signedIn.storageState() }),
    });
    const page = await context.newPage();
    page.setDefaultTimeout(waitMsMax);
    await page.goto(screen.path);
    await standStill(page);
    const spoken = await page.locator('html').getAttribute('lang');
    if (spoken !== language) throw new Error(`${screen.path} is in ${spoken}: somebody else has changed the language`);
    await screen.act?.(page);
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      writeFileSync(join(folder, fileOf(screen.name, size, language, theme)), await standStill(page));
    }
    await context.close();
    console.log(screen.name, size, language);
  }
}

/** The picture of a page that has what it fetched, and has looked the same twice. */
async function standStill(page: Page): Promise<Buffer> {
  const devtools = await page.context().newCDPSession(page);
  await page.locator('main, h1').first().waitFor();
  let last = '';
  for (let look = 0; look < looksMax; look++) {
    await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality });
    if (data === last) break;
    last = data;
    await sleep(pauseMs);
  }
  await devtools.detach();
  return Buffer.from(last, 'base64');
}

function fileOf(name: string, size: string, language: Language, theme: Theme): string {
  return `${name}${size}-${language === 'en' ? 'en' : 'pt'}-${theme}.webp`;
}

/** The index of the pictures that are there. */
function indexOf(screens: readonly Screen[]): string {
  const looks = languages.flatMap((language) => themes.map((theme) => ({ language, theme })));
  const rows = (size: string) =>
    screens
      .map(({ name }) => ({ name, files: looks.map(({ language, theme }) => fileOf(name, size, language, theme)) }))
      .filter(({ files }) => files.every((file) => existsSync(join(folder, file))))
      .map(
        ({ name, files }) => `| ${[name, ...files.map((file, at) => `[${looks[at].theme}](${file})`)].join(' | ')} |`,
      );
  const table = (size: string) =>
    ['| Screen | English | | Português | |', '| --- | --- | --- | --- | --- |', ...rows(size)].join('\n');
  return `# The dashboard in pictures

Screens in both themes and both languages, of the demo that \`npm start\` makes: nobody in it exists. Written by
\`npm run pictures -w dashboard -- --token lso_…\`, with the token of the link that \`npm start\` says.

${table('')}

On a phone:

${table('-phone')}
`;
}
