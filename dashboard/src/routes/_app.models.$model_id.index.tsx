import { createFileRoute } from '@tanstack/react-router';
import { ModelPage } from '../models/model-page.tsx';

export const Route = createFileRoute('/_app/models/$model_id/')({ component: ModelPage });
