import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/tasks/$task_id')({ component: TaskPage });

function TaskPage() {
  return <Page title="TaskPage">{null}</Page>;
}
