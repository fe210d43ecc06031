import { FileText } from 'lucide-react';
import { saveResponse } from '../api/save-response.ts';
import { useSession } from '../api/session.tsx';
import { useChange } from '../api/use-data.ts';
import { Button, buttonClass } from '../kit/button.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import type { Model, Version } from './use-models.ts';
import { versionWords } from './version-words.ts';

/**
 * The service's own page of the model document. A link says no workspace: whoever is in several has the page as a file.
 */
export function DocumentButton({ model, version }: { readonly model: Model; readonly version: Version }) {
  const w = useWords(versionWords);
  const { language } = useFormat();
  const { user, client } = useSession();
  const save = useChange(async () => {
    const page = await client.models.versions.getDocument(model.id, version.id, { format: 'html', language });
    await saveResponse(page, `${model.name}-${version.number}.html`);
  });
  if (user.workspaces.length > 1)
    return (
      <Button icon={<FileText size={14} />} isBusy={save.isPending} onClick={() => save.mutate(undefined)}>
        {w.saveDocument}
      </Button>
    );
  return (
    <a
      href={`/v1/api/models/${model.id}/versions/${version.id}/document?format=html&language=${language}`}
      target="_blank"
      rel="noreferrer"
      className={buttonClass()}
    >
      <FileText size={14} />
      {w.document}
    </a>
  );
}
