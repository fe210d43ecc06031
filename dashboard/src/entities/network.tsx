import { useMemo } from 'react';
import { useClient } from '../api/session.tsx';
import { useData } from '../api/use-data.ts';
import { paletteNow } from '../charts/chart.tsx';
import { Button } from '../kit/button.tsx';
import { withoutCpf } from '../kit/documents.ts';
import { Segmented } from '../kit/field.tsx';
import { Panel } from '../kit/page.tsx';
import { saveAs } from '../kit/save-file.ts';
import { Empty, Skeleton } from '../kit/states.tsx';
import { useFormat } from '../words/format.ts';
import { useWords } from '../words/words.ts';
import { DaySlider } from './day-slider.tsx';
import type { EntityProps } from './entity-search.ts';
import { useEntity } from './facts.tsx';
import { frameOf, layOut } from './layout.ts';
import { NetworkChosen } from './network-chosen.tsx';
import { NetworkDrawing } from './network-drawing.tsx';
import { NetworkList } from './network-list.tsx';
import { type Network, type NetworkNode, withKeysOf } from './network-marks.ts';
import { networkPicture } from './network-picture.ts';
import { NoEntity } from './no-entity.tsx';
import { EntityPath, usePath } from './path.tsx';
import { shownKey } from './shown-key.ts';
import { entityWords } from './words.ts';

/** Whom an entity is tied to, as a drawing and as a list of the same. */
export function EntityNetwork(props: EntityProps) {
  const { table, entityKey, search, set } = props;
  const w = useWords(entityWords);
  const format = useFormat();
  const client = useClient();
  const { hops = 1, as_of: asOf, node } = search;
  const asked = { hops, ...(asOf ? { reference_date: asOf } : {}) };
  const entity = useEntity(table, entityKey);
  const network = useData(['entities', 'network', table, entityKey, asked], (signal) =>
    client.entities.getNetwork(table, entityKey, asked, { signal }),
  );
  const path = usePath(props);
  const named = useMemo(() => network.data && withKeysOf(path.data, network.data), [network.data, path.data]);
  const chosen = named?.nodes.find(({ id }) => id === node);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <div className="flex items-center gap-2">
          <span className="text-body text-ink2" aria-hidden="true">
            {w.hops}
          </span>
          <Segmented
            label={w.hops}
            options={(['1', '2', '3'] as const).map((value) => ({ value, label: value }))}
            value={String(hops) as '1' | '2' | '3'}
            onValue={(value) => set({ hops: value === '2' ? 2 : value === '3' ? 3 : undefined, node: undefined }, true)}
          />
        </div>
        <DaySlider
          first={entity.data?.since ?? entity.data?.first}
          value={asOf}
          onValue={(as_of) => set({ as_of, node: undefined }, true)}
        />
      </div>
      {network.isError ? (
        <NoEntity error={network.error} onRetry={() => network.refetch()} />
      ) : !named ? (
        <Skeleton rows={10} />
      ) : named.nodes.length <= 1 ? (
        <Empty title={w.alone}>{w.aloneBody}</Empty>
      ) : (
        <>
          <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_580px]">
            <Drawn network={named} chosen={chosen} {...props} />
            <div className="flex min-w-0 flex-col gap-3">
              {chosen && <NetworkChosen network={named} node={chosen} set={set} />}
              <NetworkList network={named} search={search} set={set} />
            </div>
          </div>
          {named.left_out.nodes + named.left_out.edges > 0 && (
            <p role="status" className="text-body text-ink2">
              {w.leftOut(format.integer(named.left_out.nodes), format.integer(named.left_out.edges))}
            </p>
          )}
        </>
      )}
      <EntityPath {...props} />
    </div>
  );
}

function Drawn({
  network,
  chosen,
  entityKey,
  set,
}: EntityProps & { readonly network: Network; readonly chosen: NetworkNode | undefined }) {
  const w = useWords(entityWords);
  const places = useMemo(() => layOut(network.nodes, network.edges), [network]);
  const frame = useMemo(() => frameOf(places.values()), [places]);
  const name = `network-${shownKey(entityKey)
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, 40)}`;
  const savePicture = async () => {
    const picture = await networkPicture(network, places, frame, paletteNow());
    saveAs(`${name}.png`, picture, 'image/png');
  };
  return (
    <Panel className="min-w-0 overflow-hidden">
      <NetworkDrawing
        network={network}
        places={places}
        frame={frame}
        chosenId={chosen?.id}
        onChoose={(node) => set({ node }, true)}
      />
      <div className="flex justify-end gap-2 border-line border-t p-2">
        <Button size="small" onClick={savePicture}>
          {w.exportPng}
        </Button>
        <Button
          size="small"
          onClick={() => saveAs(`${name}.json`, JSON.stringify(withoutCpf(network), null, 2), 'application/json')}
        >
          {w.exportJson}
        </Button>
      </div>
    </Panel>
  );
}
