import { createFileRoute } from '@tanstack/react-router';
import { NewTask } from '../tasks/new-task.tsx';
import { readNewTaskSearch } from '../tasks/new-task-search.ts';

export const Route = createFileRoute('/_app/tasks/new')({
  validateSearch: readNewTaskSearch,
  component: NewTask,
});
