import { createFileRoute } from '@tanstack/react-router';
import { NewTask } from '../tasks/new-task.tsx';

export type NewTaskSearch = { readonly mode?: 'yaml' };

export const Route = createFileRoute('/_app/tasks/new')({
  validateSearch: ({ mode }): NewTaskSearch => (mode === 'yaml' ? { mode } : {}),
  component: NewTask,
});
