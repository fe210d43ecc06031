import { Type } from 'typebox';
import { answerOf } from '../../api/named.ts';
import type { CheckpointRow } from './sql.ts';

export const checkpointExample = {
  tree: 'ws_019f2e0c51b27c4e8a5d6f7a8b9c0d1e',
  size: 2,
  previous_size: 0,
  root: 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  at: '2026-03-02T12:00:01.000Z',
  key_id: 'c74f20a3',
  note: 'lastro.audit/ws_019f2e0c51b27c4e8a5d6f7a8b9c0d1e\n2\n+sVCA+fMaWzw38tCySodnbr3Ctnl8hv0vY2YZi8A48E=\nat 2026-03-02T12:00:01.000Z\n\n— lastro.audit x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
};

export const checkpointSchema = answerOf('AuditCheckpoint', checkpointExample, {
  tree: Type.String({
    description: 'The id of the workspace, or of the organization for what is done in it as a whole.',
  }),
  size: Type.Integer({ description: 'How many leaves the tree had.' }),
  previous_size: Type.Integer({ description: 'That of the checkpoint before.' }),
  root: Type.String({ description: 'The root of the tree (RFC 6962), in hex.' }),
  at: Type.String(),
  key_id: Type.String(),
  note: Type.String({
    description: 'What is signed, with its signature: keep this to hold what comes later against it.',
  }),
});

export function presentCheckpoint({ tree, size, prev_size, root, at, key_id, note }: CheckpointRow) {
  return {
    ...{ tree, size, previous_size: prev_size, root: root.toString('hex') },
    ...{ at: at.toISOString(), key_id, note },
  };
}
