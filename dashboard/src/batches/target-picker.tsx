import { useEffect } from 'react';
import { useSession } from '../api/session.tsx';
import { Field, Select } from '../kit/field.tsx';
import { Empty, Failed, Skeleton } from '../kit/states.tsx';
import { useModelList, useVersions } from '../models/use-models.ts';
import { usualModel } from '../models/usual-model.ts';
import { useSayVersion } from '../training-runs/say-version.ts';
import { common } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { batchWords } from './words.ts';

export type Target = { readonly model?: string; readonly target?: string };

/** Which model is asked, by which of its names. The first one that answers is chosen where nothing is. */
export function TargetPicker({
  model: modelId,
  target,
  onChange,
}: Target & { onChange(target: Required<Target>): void }) {
  const w = useWords(batchWords);
  const c = useWords(common);
  const models = useModelList();
  const model = models.data?.data.find(({ id, name }) => id === modelId || name === modelId);
  const versions = useVersions(model?.id, 200);
  const sayVersion = useSayVersion();
  const active = versions.data?.filter(({ status }) => status === 'active') ?? [];
  const options = [
    ...(model?.aliases.map(({ alias }) => ({ value: alias, label: alias })) ?? []),
    ...active.map((one) => ({ value: one.id, label: sayVersion(one, `${w.version} ${one.number}`) })),
  ];
  const { workspace } = useSession();
  const usual = usualModel(models.data?.data ?? [], workspace?.id ?? '');
  const first = options[0]?.value;
  const isKnown = options.some(({ value }) => value === target);
  // biome-ignore lint/correctness/useExhaustiveDependencies: chosen once each of these is known
  useEffect(() => {
    if (!model && usual) onChange({ model: usual.id, target: usual.aliases[0]?.alias ?? '' });
    else if (model && !isKnown && first) onChange({ model: model.id, target: first });
  }, [model?.id, usual?.id, isKnown, first]);
  if (models.isError) return <Failed error={models.error} onRetry={models.refetch} />;
  if (models.isPending) return <Skeleton rows={2} />;
  if (models.data.data.length === 0) return <Empty title={w.noTarget} />;
  return (
    <div className="flex flex-wrap gap-3">
      <Field label={w.model} className="w-64 max-w-full">
        <Select
          value={model?.id ?? ''}
          options={models.data.data.map(({ id, name }) => ({ value: id, label: name }))}
          onValue={(id) => onChange({ model: id, target: '' })}
        />
      </Field>
      <Field
        label={w.alias}
        className="w-56 max-w-full"
        error={model && !versions.isPending && options.length === 0 && w.noTarget}
      >
        <Select
          value={isKnown ? target! : ''}
          options={isKnown ? options : [{ value: '', label: versions.isFetching ? c.loading : '—' }, ...options]}
          onValue={(value) => model && onChange({ model: model.id, target: value })}
        />
      </Field>
    </div>
  );
}
