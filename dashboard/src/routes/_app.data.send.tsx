import { createFileRoute } from '@tanstack/react-router';
import { Page } from '../kit/page.tsx';

export const Route = createFileRoute('/_app/data/send')({ component: SendData });

function SendData() {
  return <Page title="SendData">{null}</Page>;
}
