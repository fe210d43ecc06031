import type { Role } from '../../access/authorize.ts';
import { eventTypes } from '../../trail/catalog.ts';
import type { PlacedEvent } from '../../trail/outbox/hand-on.ts';
import type { Language } from '../mails/texts.ts';
import { fieldWords, roleWords, stateWords } from './field-words.ts';
import { words } from './words.ts';

export type Told = { readonly title: string; readonly body: string; readonly link: string | null };

/** Most characters of one value that somebody else has named, and most lines of what is told of an event. */
const valueLengthMax = 200;
const linesMax = 12;
const listedMax = 10;

type Event = Pick<PlacedEvent, 'type' | 'workspace_id' | 'resource_type' | 'resource_id' | 'payload'>;

/** An event in the language of who is told, and in both for a page of either. */
export function saidIn(language: Language, event: Event): Told & { readonly said: string } {
  const [en, pt] = [textOf('en', event), textOf('pt-BR', event)];
  const plain = ({ title, body }: Told) => ({ title, body });
  return { ...(language === 'en' ? en : pt), said: JSON.stringify({ en: plain(en), 'pt-BR': plain(pt) }) };
}

/** What a user is told of an event: a title of one line, a text of plain lines, and a path of the app. */
function textOf(language: Language, event: Event): Told {
  const payload = event.payload as Readonly<Record<string, unknown>>;
  const called = words[event.type];
  const name = language === 'en' ? called.en : called.pt;
  const about = ['name', 'model', 'path', 'email', 'domain', 'alias']
    .map((field) => payload[field])
    .find((value) => typeof value === 'string');
  const status = typeof payload.status === 'string' ? stateIn(language, oneLine(payload.status)) : null;
  const title = [
    status === null ? name : `${name} ${status}`,
    ...(about === undefined ? [] : [oneLine(about as string)]),
  ];
  const means = language === 'en' ? eventTypes[event.type].means : called.means;
  const facts = Object.entries(payload)
    .filter(([field]) => field !== 'id')
    .flatMap(([field, value]) => linesOf(language, field, value));
  const resource = `${labelIn(language, event.resource_type)}: ${oneLine(event.resource_id)}`;
  return {
    title: title.join(': '),
    body: [means, '', resource, ...facts.slice(0, linesMax)].join('\n'),
    link: linkTo(event),
  };
}

/** Names are of one line, whatever somebody has put into them: without controls, separators and marks of direction. */
export function oneLine(value: string): string {
  const line = value.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ').trim();
  return line.length > valueLengthMax ? `${line.slice(0, valueLengthMax)}…` : line;
}

/** A field as lines of text; those of an object are told one by one. */
function linesOf(language: Language, field: string, value: unknown, depth = 0): string[] {
  const line = (text: string): string[] => [`${labelIn(language, field)}: ${text}`];
  switch (typeof value) {
    case 'string':
      return value === '' ? [] : line(valueIn(language, field, oneLine(value)));
    case 'number':
      return line(value.toLocaleString(language));
    case 'boolean':
      return line(yesOrNo[language][value ? 0 : 1]);
    case 'object': {
      if (value === null) return [];
      if (Array.isArray(value)) {
        const plain = value.filter((item) => typeof item === 'string' || typeof item === 'number');
        const rest = value.length > listedMax ? ` … (${value.length})` : '';
        return plain.length === 0
          ? line(String(value.length))
          : line(
              `${plain
                .slice(0, listedMax)
                .map((item) => oneLine(String(item)))
                .join(', ')}${rest}`,
            );
      }
      return depth > 0 ? [] : Object.entries(value).flatMap(([name, inner]) => linesOf(language, name, inner, 1));
    }
    default:
      return [];
  }
}

const yesOrNo = { en: ['yes', 'no'], 'pt-BR': ['sim', 'não'] } as const;

function labelIn(language: Language, field: string): string {
  const plain = oneLine(field).replaceAll('_', ' ');
  const label = language === 'en' ? plain : (fieldWords[field] ?? plain);
  return label.charAt(0).toLocaleUpperCase(language) + label.slice(1);
}

/** States and roles have names; all other values are told as they are. */
function valueIn(language: Language, field: string, value: string): string {
  if (field === 'status') return stateIn(language, value);
  return field === 'role' && Object.hasOwn(roleWords, value) ? roleWords[value as Role][language] : value;
}

function stateIn(language: Language, state: string): string {
  return language === 'en' ? state.replaceAll('_', ' ') : (stateWords[state] ?? state.replaceAll('_', ' '));
}

/** The page of the dashboard about what an event is about, in its workspace; null for what has none. */
function linkTo({ workspace_id: workspace, resource_type: type, resource_id: id, payload }: Event): string | null {
  const page = pages[type]?.(encodeURIComponent(id), (payload as { readonly model_id?: string }).model_id ?? null);
  if (page === undefined) return null;
  return workspace === null ? page : `${page}${page.includes('?') ? '&' : '?'}workspace=${workspace}`;
}

const pages: Readonly<Record<string, (id: string, modelId: string | null) => string>> = {
  api_key: (id) => `/api-keys?open=${id}`,
  batch: (id) => `/batches/${id}`,
  contract: (id) => `/data/contracts/${id}`,
  evaluation: (id) => `/evaluations/${id}`,
  gfm_version: (id) => `/foundation?open=${id}`,
  ingestion: (id) => `/data/ingestions/${id}`,
  model: (id) => `/models/${id}`,
  model_version: (id, modelId) => (modelId === null ? '/models' : `/models/${modelId}/versions/${id}`),
  sftp_file: () => '/sftp',
  sftp_user: () => '/sftp',
  rfm_version: (id) => `/foundation?open=${id}`,
  task: (id) => `/tasks/${id}`,
  training_run: (id) => `/training-runs/${id}`,
  validation: (_, modelId) => (modelId === null ? '/models' : `/models/${modelId}`),
  watch_list: (id) => `/watch-lists/${id}?tab=moves`,
  webhook: (id) => `/webhooks/${id}`,
};
