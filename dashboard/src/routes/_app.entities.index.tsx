import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/entities/')({ component: Entities });

function Entities() {
  return <Page title="Entities">{null}</Page>;
}
