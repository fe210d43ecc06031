import { createFileRoute } from '@tanstack/react-router';
import { Tasks } from '../tasks/tasks.tsx';

export const Route = createFileRoute('/_app/tasks/')({ component: Tasks });
