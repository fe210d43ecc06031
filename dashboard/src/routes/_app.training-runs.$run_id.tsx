import { createFileRoute } from '@tanstack/react-router';
import { RunPage } from '../training-runs/run-page.tsx';

export const Route = createFileRoute('/_app/training-runs/$run_id')({ component: RunPage });
