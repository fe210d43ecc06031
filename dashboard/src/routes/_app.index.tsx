import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';
import { pageNames } from '../shell/pages.ts';
import { useWords } from '../words/words.ts';

export const Route = createFileRoute('/_app/')({ component: Overview });

function Overview() {
  return <Page title={useWords(pageNames).overview}>…</Page>;
}
