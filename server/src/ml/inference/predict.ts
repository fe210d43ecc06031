import { assert } from '../../lib/failure.ts';
import { type Rows, sameText, textColumn } from '../../lib/files/column.ts';
import type { WriteColumn } from '../../lib/files/writer.ts';
import { answeredValues } from '../answers/answers.ts';
import { answeredBounds, type BoundsOfRows, intervalsOf } from '../answers/intervals.ts';
import type { TableContract } from '../contract/contract.ts';
import { openHead } from '../explain/contributions.ts';
import { withLabels } from '../features/anchors.ts';
import type { Anchors } from '../features/state.ts';
import { type OpenGraphModel, requireModel } from '../gfm-link/reading.ts';
import { withVectors } from '../gfm-link/vectors.ts';
import type { Tables } from '../graph/tables.ts';
import { viewTables } from '../graph/view.ts';
import { outputOf } from '../heads/output.ts';
import { kindNamed } from '../kinds/kinds.ts';
import { openNetwork } from '../network/network.ts';
import { withEncoder } from '../rfm/open.ts';
import type { FeatureMatrix } from '../statistics/matrix.ts';
import type { Examples } from '../tasks/examples.ts';
import { labelLimits } from '../tasks/label-limits.ts';
import { bringVectors, openGivenVectors } from '../version/given-vectors.ts';
import { type HeldOut, readHeldOut } from '../version/held-out.ts';
import { formattedAs } from '../version/input-values.ts';
import { alsoNamed, otherNamesOf } from '../version/other-names.ts';
import type { Field } from '../version/schema.ts';
import { readLabels, readVersion, type Version } from '../version/version.ts';
import { type AskedMoments, anchorsFor } from './anchors.ts';
import { answerRows, outputsOf, writtenColumns } from './answer-rows.ts';
import { openCells } from './cells.ts';
import { addTo, openCoverage } from './coverage.ts';
import { documentInputs } from './documents.ts';
import {
  canExplain,
  explanationTexts,
  openTelling,
  type TellingOptions,
  tellsFactors,
  unexplained,
} from './factors.ts';
import { type AskedLineage, lineageFactorsMax, type ToldLineage, tellLineage } from './lineage.ts';
import { type Outside, type OutsideTold, openOutsideTexts, type SaidAbout } from './outside.ts';
import { openValues } from './values.ts';

/** A version opened on the tables it reads. */
export type OpenVersion = {
  readonly version: Version;
  readonly inputs: readonly Field[];
  /** Those of them that name somebody by CPF or CNPJ (`documentInputs`). */
  readonly documents: ReadonlySet<string>;
  readonly outputs: readonly Field[];
  /** The columns of the result of `predict`, in order. */
  readonly columns: readonly WriteColumn[];
  /** The tables as the version sees them, and the labels of its own that it knows. */
  readonly tables: Tables;
  /** What the contract of the tables says of them, which may be newer than that of the version. */
  readonly described: readonly TableContract[];
  readonly labels: Examples;
  /** Of each output, what models that had not learned from some of these labels predicted of them; null: not kept. */
  readonly heldOut: readonly HeldOut[] | null;
  /** The moment of the first case that the version learned from, microseconds; null: not known. */
  readonly learnedFrom: number | null;
  predict(rows: Rows, options: PredictOptions): Rows;
  /** Predicts anchors: the numbers of each output as answers have them. `rows`: what new rows were made from. */
  valuesAt(anchors: Anchors, rows?: Rows): OutputValues[];
  /** Names the cell that each row lies in, as against the first: see `openCells`. */
  cellsOf(rows: Rows, asked: AskedMoments): string[];
  /** Tells from which rows the factors of the answer to the only row are computed. */
  lineage(rows: Rows, asked: AskedLineage): ToldLineage;
  /** Of each feature, the share of anchors that have no value of it. */
  missingAt(anchors: Anchors): Float64Array;
  /** What the models read of anchors, a column for each feature of the version; valid until the next call of any. */
  featuresAt(anchors: Anchors): FeatureMatrix;
  close(): void;
};

/** One output's values, one per row or rows × classes, and their bounds where it has an interval. */
export type OutputValues = { readonly values: Float64Array; readonly bounds: BoundsOfRows | null };

export type PredictOptions = AskedMoments &
  TellingOptions & {
    /** Whether answers contain prediction bounds, in the column `intervalColumn`. */
    readonly interval?: boolean;
    /** Whether answers contain the full explanation, in the column `explanationColumn`. */
    readonly explanation?: boolean;
    /** Whether answers contain what was not known, in the column `unknownColumn`. */
    readonly unknown?: boolean;
    /** Whether answers contain what their row does not meet of whom the question is about, in `outsideColumn`. */
    readonly outside?: boolean;
    /**
     * Called with the rows that there is something to say of, and what about: an input, or a part of the condition,
     * which is said in words besides.
     */
    readonly tellRows?: (code: RowWarning, about: string, rows: readonly number[], said?: SaidAbout) => void;
  };

/**
 * Rows that name by an input what was not in the data, those among them that name it by a mistyped document, and rows
 * that the question is not about.
 */
export type RowWarning = 'unknown_entities' | 'unnamed_entities' | 'wrong_check_digits' | 'outside_population';

/** Bounds by field, as JSON. Present on request. */
export const intervalColumn: WriteColumn = { name: 'interval', type: 'string' };
/**
 * How the answer came about, as a JSON object `Explanation`; without content for multiclass. Present on request.
 */
export const explanationColumn: WriteColumn = { name: 'explanation', type: 'string' };

/** What the model reads and was not known of the row, as a JSON list of `Unknown`. Present on request. */
export const unknownColumn: WriteColumn = { name: 'unknown', type: 'string' };

/**
 * The parts of the condition on whom the question is about that the row does not meet, joined by AND; missing where it
 * meets them all, or is not in the data. Present on request.
 */
export const outsideColumn: WriteColumn = { name: 'outside_population', type: 'string' };

/**
 * Opens a version folder on tables; it sees only what its own contract names (`viewTables`). Its inputs may be given
 * under the other names that the contract of the tables has for them. `known.version`: the
 * result of `readVersion` of the folder, if the caller has it. `known.model`: the graph model that the version or its
 * encoder reads. Throws Failure as `readVersion` does, when the tables lack something the version reads, or when the
 * graph model it reads is missing or another one.
 */
export async function openVersion(
  folder: string,
  given: Tables,
  known: { readonly version?: Version; readonly model?: OpenGraphModel | undefined } = {},
): Promise<OpenVersion> {
  const stored = known.version ?? readVersion(folder);
  const described = Array.from(given.values(), ({ contract }) => contract);
  const names = otherNamesOf(described);
  const version = { ...stored, inputFields: formattedAs(alsoNamed(stored.inputFields, names), described) };
  const tables = viewTables(given, version.contract);
  const { task, outputs } = version;
  const labels = await readLabels(folder, version, tables);
  const heldOut = await readHeldOut(folder);
  const plain = withLabels(task, tables, labels, version.fresh, outputs[0].objective, true);
  const encoded = version.encoder ? withEncoder(plain, version.encoder, { model: known.model }) : plain;
  const graph = version.graphModel
    ? withVectors(encoded, requireModel(version.graphModel, known.model, 'the version'), version.graphModel.link)
    : encoded;
  const heads = outputs.map(({ head }) => openHead(head));
  const valuesOf = openValues(graph, version.features);
  const writeGiven = version.encoder ? openGivenVectors(version.encoder, version.features) : null;
  const network = kindNamed(task.kind).readsNetwork ? openNetwork(task, tables, labels) : null;
  const compute = (anchors: Anchors, rows?: Rows) => {
    const { matrix, known } = valuesOf(anchors);
    if (rows) writeGiven?.(rows, matrix);
    const margins = heads.map((head) => head.score(matrix, 0, matrix.rows));
    return {
      matrix,
      known,
      margins,
      values: outputs.map((output, o) => outputOf(output.objective, output, margins[o])),
    };
  };
  const sure = outputs.map((output, o) => ({ ...output, limits: labelLimits(task, version.contract, o) }));
  const tell = openTelling(version, heads);
  const documents = documentInputs(version, graph.tables);
  const cover = openCoverage(version, graph, documents);
  // Made when it is first asked for.
  let outsideTexts: Outside | undefined;
  let cells: ReturnType<typeof openCells> | undefined;
  return {
    version,
    inputs: version.inputFields,
    documents,
    outputs: outputsOf(version),
    columns: writtenColumns(version),
    tables: graph.tables,
    described,
    labels,
    heldOut,
    learnedFrom: labels.at.length === 0 ? null : labels.at.reduce((first, moment) => Math.min(first, moment)),
    valuesAt(anchors, rows) {
      const { margins, values } = compute(anchors, rows);
      const bounds = answeredBounds(task, sure, margins, values, anchors.rows.length);
      return answeredValues(task, values, anchors.rows.length).map((own, o) => ({ values: own, bounds: bounds[o] }));
    },
    cellsOf(rows, asked) {
      cells ??= openCells(outputs.map(({ head }) => head));
      const { matrix } = valuesOf(anchorsFor(version, graph.tables, rows, asked));
      writeGiven?.(rows, matrix);
      return cells(matrix);
    },
    missingAt(anchors) {
      const { values, rows, features } = valuesOf(anchors).known();
      return Float64Array.from({ length: features }, (_, f) => {
        let missing = 0;
        for (let row = 0; row < rows; row++) missing += Number(Number.isNaN(values[f * rows + row]));
        return missing / rows;
      });
    },
    featuresAt: (anchors) => valuesOf(anchors).matrix,
    predict(rows, options) {
      const anchors = anchorsFor(version, graph.tables, rows, options);
      const { matrix, known: knownOf, margins, values } = compute(anchors, rows);
      const known = knownOf();
      const isWorded = tellsFactors(version) && options.factors > 0;
      const isExplained = options.explanation === true && canExplain(version);
      const factors = isWorded || isExplained ? tell({ matrix, known, values }, options) : [];
      const near = () => {
        assert(network, 'the network is open for kinds that tell of it');
        return {
          flags: () => network.flags(anchors, options.language),
          warmPaths: () => network.warmPaths(anchors),
        };
      };
      const coverage = cover(rows, anchors, known, version.encoder ? bringVectors(rows) : () => false);
      const isOutsideAsked = options.outside === true || options.tellRows !== undefined;
      if (isOutsideAsked) outsideTexts ??= openOutsideTexts(version, graph.tables);
      const outside = isOutsideAsked ? outsideTexts!.textsOf(anchors) : [];
      if (options.tellRows) {
        for (const [input, told] of coverage.absent) options.tellRows('unknown_entities', input, told);
        for (const [input, told] of coverage.unnamed) options.tellRows('unnamed_entities', input, told);
        for (const [input, told] of coverage.mistyped) options.tellRows('wrong_check_digits', input, told);
        for (const [condition, told] of rowsByText(outside))
          options.tellRows('outside_population', condition, told, outsideTexts!.sayText(condition));
      }
      const answer = answerRows(version, rows, anchors, values, isWorded ? factors : [], near, coverage);
      if (!options.interval && !options.explanation && !options.unknown && !options.outside) return answer;
      const columns = new Map(answer.columns);
      if (options.interval) {
        const intervals = intervalsOf(task, sure, margins, values, rows.rows);
        columns.set(intervalColumn.name, textColumn(intervals.map((bounds) => JSON.stringify(bounds))));
      }
      if (options.explanation)
        columns.set(
          explanationColumn.name,
          isExplained
            ? textColumn(explanationTexts(version, factors))
            : sameText(rows.rows, JSON.stringify(unexplained)),
        );
      if (options.unknown) {
        const unknown = Array.from({ length: rows.rows }, (_, row) => JSON.stringify(coverage.unknown(row)));
        columns.set(unknownColumn.name, textColumn(unknown));
      }
      if (options.outside) {
        const told = (condition: string): OutsideTold => ({ condition, said: outsideTexts!.sayText(condition) });
        const texts = outside.map((text) => (text === null ? null : JSON.stringify(told(text))));
        columns.set(outsideColumn.name, textColumn(texts));
      }
      return { ...answer, columns };
    },
    lineage(rows, asked) {
      const anchors = anchorsFor(version, graph.tables, rows, asked);
      const { matrix, known, values } = compute(anchors, rows);
      const wanted = { factors: lineageFactorsMax, language: asked.language, members: true };
      const told = canExplain(version) ? tell({ matrix, known: known(), values }, wanted)[0].factors : [];
      return tellLineage({ version, graph, anchors }, told, asked);
    },
    close() {
      for (const head of heads) head.close();
    },
  };
}

function rowsByText(texts: readonly (string | null)[]): Map<string, number[]> {
  const rows = new Map<string, number[]>();
  for (const [row, text] of texts.entries()) if (text !== null) addTo(rows, text, row);
  return rows;
}
