/** The page of an object, by the prefix of its id; null for what has none. */
export function pathOfId(id: string): string | null {
  const prefix = /^([a-z]{2,4})_[0-9a-z]{8,}$/i.exec(id)?.[1];
  switch (prefix) {
    case 'prd':
      return `/predictions?open=${id}`;
    case 'rpl':
      return `/predictions/replays?open=${id}`;
    case 'wat':
      return `/watch-lists/${id}`;
    case 'bat':
      return `/batches/${id}`;
    case 'mdl':
      return `/models/${id}`;
    case 'run':
      return `/training-runs/${id}`;
    case 'evl':
      return `/evaluations/${id}`;
    case 'tsk':
      return `/tasks/${id}`;
    case 'con':
      return `/data/contracts/${id}`;
    case 'ing':
      return `/data/ingestions/${id}`;
    case 'whk':
      return `/webhooks/${id}`;
    case 'aud':
      return `/audit?open=${id}`;
    case 'inv':
      return '/members';
    case 'ivc':
      return `/invoices/${id}`;
    case 'ntf':
      return `/inbox?tab=all&open=${id}`;
    case 'key':
      return '/api-keys';
    case 'rfm':
    case 'gfm':
      return `/foundation?open=${id}`;
    default:
      return null;
  }
}
