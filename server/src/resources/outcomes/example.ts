/** A loan that was predicted at 13 % and has defaulted, in the API document. */
export const outcomeExample = {
  id: 'out_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  prediction_id: 'prd_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  model_id: 'mdl_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  version_id: 'ver_0199f3a8c4d27b1e9c55d0a1b2c3d4e5',
  output: 'prediction',
  value: 1,
  observed_at: '2026-03-14T12:00:00.000Z',
  closes_at: '2026-05-02T02:59:59.999Z',
  is_decided: true,
  source: 'api',
  revision: 2,
  corrections: [
    {
      value: 0,
      observed_at: '2026-03-01T12:00:00.000Z',
      source: 'api',
      recorded_by: 'core banking',
      recorded_at: '2026-03-01T12:00:04.120Z',
    },
  ],
  recorded_by: 'core banking',
  recorded_at: '2026-03-14T12:00:02.310Z',
};
