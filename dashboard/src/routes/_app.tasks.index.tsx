import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/tasks/')({ component: Tasks });

function Tasks() {
  return <Page title="Tasks">{null}</Page>;
}
