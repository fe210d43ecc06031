import type { Schemas } from '@lastro/sdk';

export type Notification = Schemas['Notification'];

/** The page of what a notification is about; null for what has none. */
export function pageOf({ link, body }: Pick<Notification, 'link' | 'body'>): string | null {
  const [, folder, id] = /^\/([a-z-]+)\/([^/]+)$/.exec(link ?? '') ?? [];
  if (!folder || !id) return null;
  switch (folder) {
    case 'batches':
    case 'training-runs':
    case 'evaluations':
    case 'webhooks':
      return `/${folder}/${id}`;
    case 'contracts':
    case 'ingestions':
      return `/data/${folder}/${id}`;
    case 'api-keys':
      return `/api-keys?open=${id}`;
    case 'gfm-versions':
    case 'rfm-versions':
      return `/foundation?open=${id}`;
    case 'model-versions': {
      // A version stands below its model, which the link does not say and the text does.
      const model = /\bmdl_[0-9a-z]+/.exec(body)?.[0];
      return model ? `/models/${model}/versions/${id}` : '/models';
    }
    default:
      return null;
  }
}
