import { createFileRoute } from '@tanstack/react-router';
import { TaskPage } from '../tasks/task-page.tsx';

export const Route = createFileRoute('/_app/tasks/$task_id')({ component: TaskPage });
