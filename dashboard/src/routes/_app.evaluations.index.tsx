import { createFileRoute } from '@tanstack/react-router';
import { Evaluations } from '../evaluations/evaluations.tsx';

export const Route = createFileRoute('/_app/evaluations/')({ component: Evaluations });
