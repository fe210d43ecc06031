import { predictionExample } from '../predictions/example.ts';

const engine = 'lastro 0.1.0, node 24.19.2, x64 avx2 fma avx512f avx512_vnni';
const sha256 = '9f2c1a7d0e5b48c3a6d1f0b2e7c4958d3a1b6f0c2e8d7a4b5c9e1f3d2a6b8c70';

/** A prediction, answered again to the byte. */
export const predictionReplayExample = {
  prediction_id: predictionExample.id,
  bit_identical: true,
  output_hash: sha256,
  replayed_hash: sha256,
  log_intact: true,
  differences: [],
  outputs: predictionExample.outputs,
  refusal: null,
  pins: {
    version_id: predictionExample.version_id,
    snapshot_id: predictionExample.snapshot_id,
    contract_id: 'con_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
    snapshot_contract_id: 'con_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
    as_of: predictionExample.as_of,
    generated_at: predictionExample.outputs.generated_at,
    time_zone: 'America/Sao_Paulo',
    language: 'en',
    include: [],
    engine,
  },
  engine,
  replayed_at: '2026-03-02T09:15:00.000Z',
};

/** The predictions of a month, answered again, in the API document. */
export const replayExample = {
  id: 'rpl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  origin: 'request',
  asked: { predictions: { from: '2026-01-01T03:00:00.000Z', to: '2026-02-01T03:00:00.000Z' } },
  status: 'succeeded',
  total: 10_000,
  done: 10_000,
  fraction: 1,
  identical: 9_998,
  different: 0,
  gone: { erased: 2 },
  differences: [],
  failure: null,
  created_by: 'Nightly checks',
  created_at: '2026-02-03T05:00:00.000Z',
  started_at: '2026-02-03T05:00:00.310Z',
  finished_at: '2026-02-03T05:00:13.944Z',
};
