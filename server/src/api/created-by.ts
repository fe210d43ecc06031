import { Type } from 'typebox';
import { objectOf } from './named.ts';
import { nullable } from './nullable.ts';

export const createdByExample = { type: 'user', id: 'usr_019f2e0c51b27c4e8a5d6f7a8b9c0d1e', label: null };

/** The schema of who asked for something. */
export const createdBySchema = nullable(
  objectOf(
    'CreatedBy',
    {
      type: Type.String({ enum: ['user', 'api_key', 'sftp_user', 'system', 'operator'] }),
      id: nullable(Type.String()),
      label: nullable(
        Type.String({ description: 'What a key was called then. Null of people, whose names `members.list` has.' }),
      ),
    },
    { description: 'Who asked for it. Null of what was asked for before that was kept.' },
  ),
);

type Kept = { readonly actor_type: string | null; readonly actor_id: string | null; readonly created_by: string };

/** Who asked for what a row is. A person is told by the id alone: addresses change, and people leave. */
export function presentCreator({ actor_type: type, actor_id: id, created_by: label }: Kept) {
  if (type === null) return null;
  return { type, id, label: type === 'user' ? null : label };
}
