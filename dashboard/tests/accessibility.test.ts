/** A page of each kind on a phone, in the dark, in Portuguese. All pages, in both looks: accessibility.long.test.ts. */
import { testPages } from './axe-pages.ts';

const kinds = [
  ...[/^\/sign-in/, /^\/$/, /^\/playground/, /^\/predictions\?open/, /^\/batches\/new/, /\/versions\//],
  ...[/^\/data\/send/, /^\/entities\/./, /^\/webhooks\/./, /^\/members/, /^\/inbox/],
  ...[/^\/predictions$/, /^\/models$/, /^\/data\/contracts\/./],
];

testPages({ theme: 'dark', language: 'pt-BR', width: 390 }, (path) => kinds.some((kind) => kind.test(path)));
