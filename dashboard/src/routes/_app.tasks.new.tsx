import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/tasks/new')({ component: NewTask });

function NewTask() {
  return <Page title="NewTask">{null}</Page>;
}
