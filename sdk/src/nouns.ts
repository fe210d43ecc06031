// Made from openapi.json by `npm run -w sdk types`: change it there.
import type { Body, Options, Paged, Pending, Query, Result } from './signatures.ts';

/** The methods of each noun of the API: parts of the path come first, then the body, the query, and options. */
export interface Nouns {
  readonly health: {
    /**
     * Whether the process runs.
     * `GET /healthz`
     */
    checkAlive(options?: Options<'health.checkAlive'>): Pending<Result<'health.checkAlive'>>;
    /**
     * Whether requests should be sent here: 503 while the database does not answer, and before the process
     * stops.
     * `GET /readyz`
     */
    checkReady(options?: Options<'health.checkReady'>): Pending<Result<'health.checkReady'>>;
    /**
     * Metrics in the text format of Prometheus, to callers on this machine.
     * `GET /metrics`
     */
    getMetrics(options?: Options<'health.getMetrics'>): Pending<Result<'health.getMetrics'>>;
  };
  readonly files: {
    /**
     * Declare files and get an address to send each to.
     * `POST /v2/api/files/upload`
     */
    upload(body: Body<'files.upload'>, options?: Options<'files.upload'>): Pending<Result<'files.upload'>>;
    /**
     * Files, newest first.
     * `GET /v2/api/files`
     */
    list(query?: Query<'files.list'>, options?: Options<'files.list'>): Paged<Result<'files.list'>>;
    /**
     * One file.
     * `GET /v2/api/files/{id}`
     */
    get(id: string, options?: Options<'files.get'>): Pending<Result<'files.get'>>;
    /**
     * Delete the bytes of a file.
     * `DELETE /v2/api/files/{id}`
     */
    delete(id: string, options?: Options<'files.delete'>): Pending<Result<'files.delete'>>;
    /**
     * The bytes of a file.
     * `GET /v2/api/files/{id}/content`
     */
    download(id: string, options?: Options<'files.download'>): Pending<Result<'files.download'>>;
    /**
     * What a file was read by: ingestions, snapshots, versions of models, predictions and batches. A file
     * is read as rows of tables, from the ingestion that took it in to every snapshot that still has rows
     * of it, and so to the versions that learned from one of these and the predictions and batches that
     * were answered from one; as labels of tasks; and as the rows of batches and evaluations. predictions
     * and batches count what was answered from snapshots that have rows of it, those of a version what it
     * answered; scored_in and evaluated_in the batches and evaluations whose rows it has. The page is of
     * versions, newest first. It tells of the file also when its bytes are gone.
     * `GET /v2/api/files/{id}/lineage`
     */
    getLineage(id: string, query?: Query<'files.getLineage'>, options?: Options<'files.getLineage'>): Paged<Result<'files.getLineage'>>;
  };
  readonly contracts: {
    /**
     * Propose a contract version. Sent as multipart/form-data, the part document is the text of the
     * contract, also where it comes as a file.
     * `POST /v1/api/contracts`
     */
    create(body: Body<'contracts.create'>, options?: Options<'contracts.create'>): Pending<Result<'contracts.create'>>;
    /**
     * Contract versions, newest first.
     * `GET /v1/api/contracts`
     */
    list(query?: Query<'contracts.list'>, options?: Options<'contracts.list'>): Paged<Result<'contracts.list'>>;
    /**
     * Make a proposed contract version the active one, and bring the data under it. An ingestion is
     * started: of the files that asked for the version, or, without any, one that only reads again what
     * the version stores otherwise. Asked of the active version, it is started once more if the data are
     * under an earlier one still.
     * `POST /v1/api/contracts/{id}/acceptance`
     */
    accept(id: string, options?: Options<'contracts.accept'>): Pending<Result<'contracts.accept'>>;
    /**
     * Set a proposed contract version aside.
     * `POST /v1/api/contracts/{id}/rejection`
     */
    reject(id: string, options?: Options<'contracts.reject'>): Pending<Result<'contracts.reject'>>;
    /**
     * One contract version.
     * `GET /v1/api/contracts/{id}`
     */
    get(id: string, options?: Options<'contracts.get'>): Pending<Result<'contracts.get'>>;
  };
  readonly ingestions: {
    /**
     * Take uploaded files into the tables. Every file is checked whole against the active contract; all
     * are taken in together or none is. Without a contract one is inferred from the files and proposed.
     * Sent as multipart/form-data, the files themselves are its parts, each named after its table; they
     * are stored as uploaded files.
     * `POST /v1/api/ingestions`
     */
    create(body: Body<'ingestions.create'>, options?: Options<'ingestions.create'>): Pending<Result<'ingestions.create'>>;
    /**
     * Ingestions, newest first.
     * `GET /v1/api/ingestions`
     */
    list(query?: Query<'ingestions.list'>, options?: Options<'ingestions.list'>): Paged<Result<'ingestions.list'>>;
    /**
     * One ingestion, with the report of what is in the data.
     * `GET /v1/api/ingestions/{id}`
     */
    get(id: string, query?: Query<'ingestions.get'>, options?: Options<'ingestions.get'>): Pending<Result<'ingestions.get'>>;
    /**
     * Stop an ingestion, of which nothing is taken in.
     * `POST /v1/api/ingestions/{id}/interrupt`
     */
    interrupt(id: string, options?: Options<'ingestions.interrupt'>): Pending<Result<'ingestions.interrupt'>>;
    /**
     * How the files deviate from the contract: counts by rule, first rows concerned.
     * `GET /v1/api/ingestions/{id}/deviations`
     */
    getDeviations(id: string, options?: Options<'ingestions.getDeviations'>): Pending<Result<'ingestions.getDeviations'>>;
  };
  readonly tables: {
    /**
     * The rows of a table, as the data hold them now. In the order in which they came, or by their date
     * (order); of a row that a file has changed, its newest version. Values are exact: numbers unrounded,
     * days as 2024-12-31, timestamps on the clocks of the contract. Personal data are never told, and rows
     * that name somebody who was erased are left out. Pages are of the state of the data that the first of
     * them found. The audit log has who read how many rows of which table.
     * `GET /v1/api/tables/{table}/rows`
     */
    listRows(table: string, query?: Query<'tables.listRows'>, options?: Options<'tables.listRows'>): Paged<Result<'tables.listRows'>>;
  };
  readonly erasures: {
    /**
     * Erase a company, person or asset. Its name leaves the dictionary, so that tables and models no
     * longer tell whose their numbers are; answered predictions that name it are emptied, uploaded files
     * and batch results that name it lose their bytes, and evaluations of them their results. Models are
     * not changed.
     * `POST /v1/api/erasures`
     */
    create(body: Body<'erasures.create'>, options?: Options<'erasures.create'>): Pending<Result<'erasures.create'>>;
    /**
     * Erasures, newest first; none says who was erased.
     * `GET /v1/api/erasures`
     */
    list(query?: Query<'erasures.list'>, options?: Options<'erasures.list'>): Paged<Result<'erasures.list'>>;
    /**
     * One erasure.
     * `GET /v1/api/erasures/{id}`
     */
    get(id: string, query?: Query<'erasures.get'>, options?: Options<'erasures.get'>): Pending<Result<'erasures.get'>>;
    /**
     * Stop an erasure that has taken nothing out yet. As long as it searches, nothing has been changed.
     * Once the name has been taken out, the erasure goes on to its end.
     * `POST /v1/api/erasures/{id}/interrupt`
     */
    interrupt(id: string, options?: Options<'erasures.interrupt'>): Pending<Result<'erasures.interrupt'>>;
  };
  readonly tasks: {
    /**
     * Define a question to learn. Sent as multipart/form-data, by who may also upload files, the label
     * files themselves are its parts train and validation; they are stored as uploaded files.
     * `POST /v1/api/tasks`
     */
    create(body: Body<'tasks.create'>, options?: Options<'tasks.create'>): Pending<Result<'tasks.create'>>;
    /**
     * Tasks, newest first.
     * `GET /v1/api/tasks`
     */
    list(query?: Query<'tasks.list'>, options?: Options<'tasks.list'>): Paged<Result<'tasks.list'>>;
    /**
     * What a definition asks, in words, before a task is made of it. It is read under the active contract,
     * as it would be for a task. Nothing is kept.
     * `POST /v1/api/tasks/question`
     */
    checkDefinition(body: Body<'tasks.checkDefinition'>, options?: Options<'tasks.checkDefinition'>): Pending<Result<'tasks.checkDefinition'>>;
    /**
     * Delete a task that no model answers. Its training runs are kept, and its label files as uploaded
     * files. Its name is free again.
     * `DELETE /v1/api/tasks/{id}`
     */
    delete(id: string, options?: Options<'tasks.delete'>): Pending<Result<'tasks.delete'>>;
    /**
     * One task.
     * `GET /v1/api/tasks/{id}`
     */
    get(id: string, options?: Options<'tasks.get'>): Pending<Result<'tasks.get'>>;
    /**
     * How many labels a task has, month by month, before it is trained. Laid out over the newest data as a
     * training run would lay them out, of the first output. Of a task whose labels come in files, count
     * them there.
     * `GET /v1/api/tasks/{id}/labels`
     */
    countLabels(id: string, options?: Options<'tasks.countLabels'>): Pending<Result<'tasks.countLabels'>>;
  };
  readonly trainingRuns: {
    /**
     * Learn a task from the newest data, or pre-train the encoder of a table. With task_id: makes a
     * version of a model. With entity: pre-trains the workspace's relational model of that table's rows
     * from what their events did next, without labels, and makes an RFM version that embeddings are read
     * from.
     * `POST /v1/api/training-runs`
     */
    create(body: Body<'trainingRuns.create'>, options?: Options<'trainingRuns.create'>): Pending<Result<'trainingRuns.create'>>;
    /**
     * Training runs, newest first.
     * `GET /v1/api/training-runs`
     */
    list(query?: Query<'trainingRuns.list'>, options?: Options<'trainingRuns.list'>): Paged<Result<'trainingRuns.list'>>;
    /**
     * One training run with its progress.
     * `GET /v1/api/training-runs/{id}`
     */
    get(id: string, query?: Query<'trainingRuns.get'>, options?: Options<'trainingRuns.get'>): Pending<Result<'trainingRuns.get'>>;
    /**
     * Stop a training run.
     * `POST /v1/api/training-runs/{id}/interrupt`
     */
    interrupt(id: string, options?: Options<'trainingRuns.interrupt'>): Pending<Result<'trainingRuns.interrupt'>>;
  };
  readonly models: {
    /**
     * Models with their aliases, newest first.
     * `GET /v1/api/models`
     */
    list(query?: Query<'models.list'>, options?: Options<'models.list'>): Paged<Result<'models.list'>>;
    /**
     * One model.
     * `GET /v1/api/models/{model_id}`
     */
    get(modelId: string, options?: Options<'models.get'>): Pending<Result<'models.get'>>;
    /**
     * Delete a model with its versions, which no alias points at and no work under way needs. Its training
     * runs, evaluations, predictions and results of batches are kept. Its name is free again.
     * `DELETE /v1/api/models/{model_id}`
     */
    delete(modelId: string, options?: Options<'models.delete'>): Pending<Result<'models.delete'>>;
    /**
     * How what a version is asked and answers differs from what it was, and what came of it. Its answers
     * are counted and judged within the hour, in windows of whole weeks against its first four. Of what
     * came of them, only predictions count whose windows have closed.
     * `GET /v1/api/models/{model_id}/monitoring`
     */
    getMonitoring(modelId: string, query?: Query<'models.getMonitoring'>, options?: Options<'models.getMonitoring'>): Pending<Result<'models.getMonitoring'>>;
    /**
     * Alarms of a model, newest first.
     * `GET /v1/api/models/{model_id}/alarms`
     */
    listAlarms(modelId: string, query?: Query<'models.listAlarms'>, options?: Options<'models.listAlarms'>): Paged<Result<'models.listAlarms'>>;
  };
  readonly modelVersions: {
    /**
     * Versions of a model, newest first.
     * `GET /v1/api/models/{model_id}/versions`
     */
    list(modelId: string, query?: Query<'modelVersions.list'>, options?: Options<'modelVersions.list'>): Paged<Result<'modelVersions.list'>>;
    /**
     * One version: its full input and output schema, and how good it is.
     * `GET /v1/api/models/{model_id}/versions/{version_id}`
     */
    get(modelId: string, versionId: string, options?: Options<'modelVersions.get'>): Pending<Result<'modelVersions.get'>>;
    /**
     * What a version reads, most important first.
     * `GET /v1/api/models/{model_id}/versions/{version_id}/features`
     */
    listFeatures(modelId: string, versionId: string, query?: Query<'modelVersions.listFeatures'>, options?: Options<'modelVersions.listFeatures'>): Paged<Result<'modelVersions.listFeatures'>>;
    /**
     * How good a version is, with its curves. Of each output, on rows later than what the scoring models
     * had learned from: the metric by folds and beside naive answers, calibration, reliability, a
     * histogram, thresholds, gains.
     * `GET /v1/api/models/{model_id}/versions/{version_id}/metrics`
     */
    getMetrics(modelId: string, versionId: string, options?: Options<'modelVersions.getMetrics'>): Pending<Result<'modelVersions.getMetrics'>>;
    /**
     * The columns of a labelled file, by which a version can be evaluated.
     * `GET /v1/api/models/{model_id}/versions/{version_id}/labelled-file`
     */
    getLabelledFile(modelId: string, versionId: string, options?: Options<'modelVersions.getLabelledFile'>): Pending<Result<'modelVersions.getLabelledFile'>>;
    /**
     * Let a version answer.
     * `POST /v1/api/models/{model_id}/versions/{version_id}/activation`
     */
    activate(modelId: string, versionId: string, options?: Options<'modelVersions.activate'>): Pending<Result<'modelVersions.activate'>>;
    /**
     * Let a version answer no more.
     * `POST /v1/api/models/{model_id}/versions/{version_id}/deactivation`
     */
    deactivate(modelId: string, versionId: string, options?: Options<'modelVersions.deactivate'>): Pending<Result<'modelVersions.deactivate'>>;
    /**
     * The model document of a version: purpose, data, performance, limits, fairness, history. With the
     * headings that supervisors of models ask for. Everything in it was stored or measured; what was not
     * says so. As Markdown, or as a page to print: by format, or else by Accept.
     * `GET /v1/api/models/{model_id}/versions/{version_id}/document`
     */
    getDocument(modelId: string, versionId: string, query?: Query<'modelVersions.getDocument'>, options?: Options<'modelVersions.getDocument'>): Pending<Result<'modelVersions.getDocument'>>;
    /**
     * Backtests of a version, newest first.
     * `GET /v1/api/models/{model_id}/versions/{version_id}/backtests`
     */
    listBacktests(modelId: string, versionId: string, query?: Query<'modelVersions.listBacktests'>, options?: Options<'modelVersions.listBacktests'>): Paged<Result<'modelVersions.listBacktests'>>;
  };
  readonly modelGates: {
    /**
     * What a version must have passed before an alias is moved to it.
     * `GET /v1/api/models/{model_id}/gates`
     */
    get(modelId: string, options?: Options<'modelGates.get'>): Pending<Result<'modelGates.get'>>;
    /**
     * Set the gates of a model; what is not named is as by default. Creators alone loosen them: fewer
     * approvals, a check that is required no more, or must be told no more, a threshold that more versions
     * pass, aliases that move by themselves.
     * `PUT /v1/api/models/{model_id}/gates`
     */
    set(modelId: string, body: Body<'modelGates.set'>, options?: Options<'modelGates.set'>): Pending<Result<'modelGates.set'>>;
  };
  readonly modelApprovals: {
    /**
     * Approve a version for an alias, as another person than who trained it. Whoever approves does not
     * count as another person when they move the alias.
     * `POST /v1/api/models/{model_id}/versions/{version_id}/approvals`
     */
    create(modelId: string, versionId: string, body: Body<'modelApprovals.create'>, options?: Options<'modelApprovals.create'>): Pending<Result<'modelApprovals.create'>>;
    /**
     * Approvals of a version, newest first.
     * `GET /v1/api/models/{model_id}/versions/{version_id}/approvals`
     */
    list(modelId: string, versionId: string, options?: Options<'modelApprovals.list'>): Pending<Result<'modelApprovals.list'>>;
  };
  readonly aliases: {
    /**
     * Where an alias points.
     * `GET /v1/api/models/{model_id}/aliases/{alias}`
     */
    get(modelId: string, alias: string, options?: Options<'aliases.get'>): Pending<Result<'aliases.get'>>;
    /**
     * Point an alias at a version; If-Match guards against changes in between. The version must pass the
     * gates of its model, beside the version that the alias points at; going back to one that has held the
     * alias may without, unless the alias was moved back from it because it failed. input_changes of the
     * answer says by which inputs callers of the version before would be refused now.
     * `PUT /v1/api/models/{model_id}/aliases/{alias}`
     */
    set(modelId: string, alias: string, body: Body<'aliases.set'>, options?: Options<'aliases.set'>): Pending<Result<'aliases.set'>>;
    /**
     * Remove an alias.
     * `DELETE /v1/api/models/{model_id}/aliases/{alias}`
     */
    delete(modelId: string, alias: string, options?: Options<'aliases.delete'>): Pending<Result<'aliases.delete'>>;
  };
  readonly aliasSplits: {
    /**
     * The split of an alias, and how the answers of its two versions and what came of them compare. Only
     * predictions count that were made since it began; of outcomes, those whose windows have closed.
     * `GET /v1/api/models/{model_id}/aliases/{alias}/split`
     */
    get(modelId: string, alias: string, options?: Options<'aliasSplits.get'>): Pending<Result<'aliasSplits.get'>>;
    /**
     * Have another version answer a share of those whom an alias is asked about, or change the share.
     * Real-time predictions that name the alias are answered by the version where they are about somebody
     * of the share: by a hash of whom they are about, so that somebody is in it always or never, and a
     * larger share has all of a smaller one. The answer says which version gave it. The version must be
     * active, take what the one of the alias takes, and pass the gates of the model as if the alias were
     * moved to it. Batches go on by the version that the alias points at. Another version begins anew; the
     * split ends when the alias moves.
     * `PUT /v1/api/models/{model_id}/aliases/{alias}/split`
     */
    set(modelId: string, alias: string, body: Body<'aliasSplits.set'>, options?: Options<'aliasSplits.set'>): Pending<Result<'aliasSplits.set'>>;
    /**
     * End the split of an alias: the version that it points at answers all again.
     * `DELETE /v1/api/models/{model_id}/aliases/{alias}/split`
     */
    delete(modelId: string, alias: string, options?: Options<'aliasSplits.delete'>): Pending<Result<'aliasSplits.delete'>>;
  };
  readonly monitors: {
    /**
     * How a model is watched.
     * `GET /v1/api/models/{model_id}/monitor`
     */
    get(modelId: string, options?: Options<'monitors.get'>): Pending<Result<'monitors.get'>>;
    /**
     * Say how a model is watched; If-Match guards against changes in between. What is left out is as by
     * default.
     * `PUT /v1/api/models/{model_id}/monitor`
     */
    set(modelId: string, body: Body<'monitors.set'>, options?: Options<'monitors.set'>): Pending<Result<'monitors.set'>>;
  };
  readonly rfmVersions: {
    /**
     * Versions of the workspace's relational model, newest first.
     * `GET /v1/api/rfm-versions`
     */
    list(query?: Query<'rfmVersions.list'>, options?: Options<'rfmVersions.list'>): Paged<Result<'rfmVersions.list'>>;
    /**
     * One version with its report.
     * `GET /v1/api/rfm-versions/{id}`
     */
    get(id: string, options?: Options<'rfmVersions.get'>): Pending<Result<'rfmVersions.get'>>;
    /**
     * One version, and the models that answer now, to run where your tables are. A ZIP archive of one
     * folder. lastro rfm serve <folder> --data <tables> embeds and scores with it, without any network;
     * its README.md says more.
     * `GET /v1/api/rfm-versions/{id}/export`
     */
    export(id: string, options?: Options<'rfmVersions.export'>): Pending<Result<'rfmVersions.export'>>;
  };
  readonly gfmVersions: {
    /**
     * Released versions of the graph model, newest first.
     * `GET /v1/api/gfm-versions`
     */
    list(query?: Query<'gfmVersions.list'>, options?: Options<'gfmVersions.list'>): Paged<Result<'gfmVersions.list'>>;
    /**
     * One released version of the graph model.
     * `GET /v1/api/gfm-versions/{id}`
     */
    get(id: string, options?: Options<'gfmVersions.get'>): Pending<Result<'gfmVersions.get'>>;
    /**
     * Read this version of the graph model from now on.
     * `POST /v1/api/gfm-versions/{id}/adoption`
     */
    adopt(id: string, options?: Options<'gfmVersions.adopt'>): Pending<Result<'gfmVersions.adopt'>>;
  };
  readonly embeddings: {
    /**
     * Entities as vectors of 1024 numbers. Vectors have length 1; compare them by cosine. The first 512,
     * 256, 128, 64, 32 or 16 numbers are the best of their length.
     * `POST /v1/api/embeddings`
     */
    create(body: Body<'embeddings.create'>, options?: Options<'embeddings.create'>): Pending<Result<'embeddings.create'>>;
    /**
     * The entities most like one of them. Of the graph: of the same kind.
     * `POST /v1/api/embeddings/neighbors`
     */
    findNeighbors(body: Body<'embeddings.findNeighbors'>, options?: Options<'embeddings.findNeighbors'>): Pending<Result<'embeddings.findNeighbors'>>;
    /**
     * The entities of a table in two dimensions, as their vectors lie. The two axes along which the
     * vectors of the sample differ most: near each other is who is alike. The same encoder, data and day
     * give the same points. It counts as one embedding.
     * `GET /v1/api/embeddings/map`
     */
    getMap(query?: Query<'embeddings.getMap'>, options?: Options<'embeddings.getMap'>): Pending<Result<'embeddings.getMap'>>;
  };
  readonly entities: {
    /**
     * Entities whose keys begin with a text. In order of their rows; one with just this key leads. A CPF
     * or CNPJ is found with its punctuation and without, however the data write it. Of a table whose keys
     * say who people are, only one that has just this key is found.
     * `GET /v1/api/entities`
     */
    find(query?: Query<'entities.find'>, options?: Options<'entities.find'>): Pending<Result<'entities.find'>>;
    /**
     * One entity: since when it is known, what refers to it, and what it refers to.
     * `GET /v1/api/entities/{table}/{key}`
     */
    get(table: string, key: string, query?: Query<'entities.get'>, options?: Options<'entities.get'>): Pending<Result<'entities.get'>>;
    /**
     * Who of the same table is tied to an entity, by what, how often and since when. Two are tied by rows
     * that both lead to: a device, an address, an account, an event of both.
     * `GET /v1/api/entities/{table}/{key}/network`
     */
    getNetwork(table: string, key: string, query?: Query<'entities.getNetwork'>, options?: Options<'entities.getNetwork'>): Pending<Result<'entities.getNetwork'>>;
    /**
     * A shortest path of ties between two entities of a table. Two are tied by rows that both lead to: a
     * device, an address, an account, an event of both.
     * `GET /v1/api/entities/{table}/{key}/path/{to}`
     */
    getPath(table: string, key: string, to: string, query?: Query<'entities.getPath'>, options?: Options<'entities.getPath'>): Pending<Result<'entities.getPath'>>;
    /**
     * Record that you have the personal data of an entity shown. The dashboard masks the CPF of people
     * until whoever reads the page wants to see it, and asks this first: the audit log has who looked, and
     * when. It has a fingerprint of the key, the same at every look, from which nobody can tell the key.
     * Answers of the API are not masked.
     * `POST /v1/api/entities/{table}/{key}/reveal`
     */
    reveal(table: string, key: string, options?: Options<'entities.reveal'>): Pending<Result<'entities.reveal'>>;
  };
  readonly predictions: {
    /**
     * Predict for one entity or new row, by alias or version id. The body holds the inputs that the
     * version declares, and optionally reference_date, correlation_id and reference_id. The answer has the
     * outputs of the version as top-level fields.
     * `POST /v1/api/prediction/{model_id}/{name}`
     */
    create(modelId: string, name: string, body: Body<'predictions.create'>, query?: Query<'predictions.create'>, options?: Options<'predictions.create'>): Pending<Result<'predictions.create'>>;
    /**
     * Predictions answered at once, newest first. A page, and total, look at 100000 predictions for those
     * that fit, unless they are of one entity: a page may have few or none and has_more, and the next one
     * goes on.
     * `GET /v1/api/predictions`
     */
    list(query?: Query<'predictions.list'>, options?: Options<'predictions.list'>): Paged<Result<'predictions.list'>>;
    /**
     * How many predictions were answered, by hour or day, version, band, tenth and channel, and how fast.
     * On the clocks of the workspace. By default the last 30 days by day; bucket=hour the last 24 hours;
     * bucket=all all of the time as one. Predictions of batches are not among them. Requests that were
     * refused are not kept, and so not counted.
     * `GET /v1/api/predictions/statistics`
     */
    getStatistics(query?: Query<'predictions.getStatistics'>, options?: Options<'predictions.getStatistics'>): Pending<Result<'predictions.getStatistics'>>;
    /**
     * One answered prediction with what was asked.
     * `GET /v1/api/predictions/{id}`
     */
    get(id: string, options?: Options<'predictions.get'>): Pending<Result<'predictions.get'>>;
    /**
     * Record that you have the personal data of a prediction shown. The dashboard masks the CPF of people
     * until whoever reads the page wants to see it, and asks this first: the audit log has who looked, and
     * when. Answers of the API are not masked.
     * `POST /v1/api/predictions/{id}/reveal`
     */
    reveal(id: string, options?: Options<'predictions.reveal'>): Pending<Result<'predictions.reveal'>>;
    /**
     * From which rows of which files the factors of an answer were computed. The version that answered is
     * asked once more, over the data that it answered from and as of then: without factor, how many
     * features and rows each factor comes from; with one, what each of its features was computed from, row
     * by row. Nothing that became known later is among them. Values are told to those who may download
     * files, and files to those who may view them; keys that say who people are, and rows that name
     * somebody who was erased, to nobody. The audit log has of which tables values were told. Answers of
     * several classes have no factors.
     * `GET /v1/api/predictions/{id}/lineage`
     */
    getLineage(id: string, query?: Query<'predictions.getLineage'>, options?: Options<'predictions.getLineage'>): Paged<Result<'predictions.getLineage'>>;
    /**
     * Answer a prediction of the log again, to the byte. By the version that answered, over the snapshot
     * that it read, as of the same moment, with the same inputs, zone and language: whatever has become of
     * data, contracts, aliases and settings since. Where one of these is gone, 410 says which. The log
     * stays as it is, and no quota is used.
     * `POST /v1/api/predictions/{id}/replay`
     */
    replay(id: string, options?: Options<'predictions.replay'>): Pending<Result<'predictions.replay'>>;
  };
  readonly counterfactuals: {
    /**
     * The fewest changes of the inputs by which the answer would be another. Of a new row, whose inputs
     * say what could be otherwise. The version itself answers each case that is tried, as it would answer
     * a prediction at the same moment. Only values that the data had by then are proposed, none of
     * personal or protected inputs. Nothing of it is kept among predictions; it counts as one for each
     * thousand cases that are tried. Without changeable inputs the answer alone is given, to any version.
     * `POST /v1/api/prediction/{model_id}/{name}/counterfactuals`
     */
    find(modelId: string, name: string, body: Body<'counterfactuals.find'>, options?: Options<'counterfactuals.find'>): Pending<Result<'counterfactuals.find'>>;
  };
  readonly outcomes: {
    /**
     * Say what came of predictions. At most 1000 at once, all of them or none. What is sent again changes
     * nothing; another value or moment of the same prediction and output corrects it, and what it was is
     * kept. An outcome counts once its window had closed when it was observed; or before, if it cannot
     * change any more, as what has happened cannot.
     * `POST /v1/api/outcomes`
     */
    send(body: Body<'outcomes.send'>, options?: Options<'outcomes.send'>): Pending<Result<'outcomes.send'>>;
    /**
     * Outcomes of predictions, newest first. A page, and total, look at 100000 outcomes for those that
     * fit, unless they are of one prediction.
     * `GET /v1/api/outcomes`
     */
    list(query?: Query<'outcomes.list'>, options?: Options<'outcomes.list'>): Paged<Result<'outcomes.list'>>;
    /**
     * One outcome, with what it was before.
     * `GET /v1/api/outcomes/{id}`
     */
    get(id: string, options?: Options<'outcomes.get'>): Pending<Result<'outcomes.get'>>;
  };
  readonly watchLists: {
    /**
     * Watch entities by an alias of a model, and be told when they move. The entities are scored by the
     * version that the alias points at: soon, once a day, when newer data are there and when the alias
     * points at another version. Who moves to another band, class, or by the threshold is told once, as
     * watch-list-move; more than 20 moves of one rescoring are one event with their number. Nothing is
     * charged for these scores, and they are not among predictions.
     * `POST /v1/api/watch-lists`
     */
    create(body: Body<'watchLists.create'>, options?: Options<'watchLists.create'>): Pending<Result<'watchLists.create'>>;
    /**
     * Watch lists, newest first.
     * `GET /v1/api/watch-lists`
     */
    list(query?: Query<'watchLists.list'>, options?: Options<'watchLists.list'>): Paged<Result<'watchLists.list'>>;
    /**
     * One watch list.
     * `GET /v1/api/watch-lists/{id}`
     */
    get(id: string, options?: Options<'watchLists.get'>): Pending<Result<'watchLists.get'>>;
    /**
     * Change the name, the alias or the threshold of a watch list. What the version of another alias says
     * otherwise is told as moves, because of the version.
     * `PATCH /v1/api/watch-lists/{id}`
     */
    update(id: string, body: Body<'watchLists.update'>, options?: Options<'watchLists.update'>): Pending<Result<'watchLists.update'>>;
    /**
     * Delete a watch list, with its entries and moves.
     * `DELETE /v1/api/watch-lists/{id}`
     */
    delete(id: string, options?: Options<'watchLists.delete'>): Pending<Result<'watchLists.delete'>>;
    /**
     * The entries of a watch list with their present scores, newest first.
     * `GET /v1/api/watch-lists/{id}/entries`
     */
    listEntries(id: string, query?: Query<'watchLists.listEntries'>, options?: Options<'watchLists.listEntries'>): Paged<Result<'watchLists.listEntries'>>;
    /**
     * Make the entries of a watch list those of some keys. Who is on the list already, and stays on it,
     * keeps its score and its moves. A list has at most 50000 entries.
     * `PUT /v1/api/watch-lists/{id}/entries`
     */
    setEntries(id: string, body: Body<'watchLists.setEntries'>, options?: Options<'watchLists.setEntries'>): Pending<Result<'watchLists.setEntries'>>;
    /**
     * Add entries to a watch list. Who is on the list already, and stays on it, keeps its score and its
     * moves. A list has at most 50000 entries.
     * `POST /v1/api/watch-lists/{id}/entries`
     */
    addEntries(id: string, body: Body<'watchLists.addEntries'>, options?: Options<'watchLists.addEntries'>): Pending<Result<'watchLists.addEntries'>>;
    /**
     * Remove entries from a watch list, with their moves. Who is on the list already, and stays on it,
     * keeps its score and its moves. A list has at most 50000 entries.
     * `POST /v1/api/watch-lists/{id}/entries/removal`
     */
    removeEntries(id: string, body: Body<'watchLists.removeEntries'>, options?: Options<'watchLists.removeEntries'>): Pending<Result<'watchLists.removeEntries'>>;
    /**
     * Moves of the entries of a watch list, newest first.
     * `GET /v1/api/watch-lists/{id}/moves`
     */
    listMoves(id: string, query?: Query<'watchLists.listMoves'>, options?: Options<'watchLists.listMoves'>): Paged<Result<'watchLists.listMoves'>>;
  };
  readonly batches: {
    /**
     * Score the rows of uploaded files. Versions, data and moment are pinned when the batch is accepted.
     * Columns are the inputs of the version, and optionally endpoint, reference_date, correlation_id and
     * reference_id.
     * `POST /v2/api/batches`
     */
    create(body: Body<'batches.create'>, options?: Options<'batches.create'>): Pending<Result<'batches.create'>>;
    /**
     * Batches, newest first.
     * `GET /v2/api/batches`
     */
    list(query?: Query<'batches.list'>, options?: Options<'batches.list'>): Paged<Result<'batches.list'>>;
    /**
     * One batch with its progress.
     * `GET /v2/api/batches/{id}`
     */
    get(id: string, query?: Query<'batches.get'>, options?: Options<'batches.get'>): Pending<Result<'batches.get'>>;
    /**
     * Stop a batch and keep what it has scored. The batch then ends as failed, with failure.code
     * `interrupted`.
     * `POST /v2/api/batches/{id}/interrupt`
     */
    interrupt(id: string, options?: Options<'batches.interrupt'>): Pending<Result<'batches.interrupt'>>;
    /**
     * Why rows were left out of the result, in order of file and row.
     * `GET /v2/api/batches/{id}/errors`
     */
    listErrors(id: string, query?: Query<'batches.listErrors'>, options?: Options<'batches.listErrors'>): Paged<Result<'batches.listErrors'>>;
    /**
     * Scored rows that name somebody by a mistyped document, in order of file and row. Those that
     * `wrong_check_digits` of the batch counts: a CPF or CNPJ that is not in the data and whose check
     * digits are wrong, or, where all in the data are named by CPF or CNPJ, what is none. They have an
     * answer, as of somebody unknown; corrected, they may be scored again (`corrects`). At least the first
     * 100,000 of a file.
     * `GET /v2/api/batches/{id}/warnings`
     */
    listWarnings(id: string, query?: Query<'batches.listWarnings'>, options?: Options<'batches.listWarnings'>): Paged<Result<'batches.listWarnings'>>;
    /**
     * Short-lived addresses to download the result by. download_url is the file of a batch of one, and
     * otherwise a ZIP archive of all.
     * `GET /v2/api/batches/{id}/result`
     */
    getResult(id: string, options?: Options<'batches.getResult'>): Pending<Result<'batches.getResult'>>;
    /**
     * Delete the files of a result.
     * `DELETE /v2/api/batches/{id}/result`
     */
    deleteResult(id: string, options?: Options<'batches.deleteResult'>): Pending<Result<'batches.deleteResult'>>;
    /**
     * Rows of one file of a result, in its order or by a number. The whole file is looked through for each
     * page, a million rows in seconds.
     * `GET /v2/api/batches/{id}/result/rows`
     */
    listResultRows(id: string, query?: Query<'batches.listResultRows'>, options?: Options<'batches.listResultRows'>): Paged<Result<'batches.listResultRows'>>;
  };
  readonly evaluations: {
    /**
     * Say what a version is worth on a labelled file, or which of two is better. Each row is predicted as
     * of its own moment, over the newest data. The file has the task's key, time and label columns (a
     * column of the output's name for each of several horizons); labels that the task makes from the
     * tables need none. New rows that the tables do not have bring the inputs of the version. What is not
     * known by reference_date is not read, and labels that were not known by then are left out.
     * `POST /v1/api/evaluations`
     */
    create(body: Body<'evaluations.create'>, options?: Options<'evaluations.create'>): Pending<Result<'evaluations.create'>>;
    /**
     * Evaluations, newest first.
     * `GET /v1/api/evaluations`
     */
    list(query?: Query<'evaluations.list'>, options?: Options<'evaluations.list'>): Paged<Result<'evaluations.list'>>;
    /**
     * One evaluation, with its result once it has succeeded.
     * `GET /v1/api/evaluations/{id}`
     */
    get(id: string, query?: Query<'evaluations.get'>, options?: Options<'evaluations.get'>): Pending<Result<'evaluations.get'>>;
    /**
     * Stop an evaluation.
     * `POST /v1/api/evaluations/{id}/interrupt`
     */
    interrupt(id: string, options?: Options<'evaluations.interrupt'>): Pending<Result<'evaluations.interrupt'>>;
  };
  readonly backtests: {
    /**
     * Say what a version would have answered to the predictions of a time. The real-time predictions of
     * the model, whoever of its versions answered them, are answered anew over the newest data: each as of
     * its own moment, of which nothing later is read. Told are how the answers differ, what would have
     * been decided otherwise at a cutoff and, where outcomes were told or the tables say by now what came
     * true, who was right. Data of then that came in since are read too. Erased predictions are left out.
     * `POST /v1/api/backtests`
     */
    create(body: Body<'backtests.create'>, options?: Options<'backtests.create'>): Pending<Result<'backtests.create'>>;
    /**
     * Backtests, newest first.
     * `GET /v1/api/backtests`
     */
    list(query?: Query<'backtests.list'>, options?: Options<'backtests.list'>): Paged<Result<'backtests.list'>>;
    /**
     * One backtest, with its result once it has succeeded.
     * `GET /v1/api/backtests/{id}`
     */
    get(id: string, query?: Query<'backtests.get'>, options?: Options<'backtests.get'>): Pending<Result<'backtests.get'>>;
    /**
     * Delete a backtest. With its result. One that is under way stops.
     * `DELETE /v1/api/backtests/{id}`
     */
    delete(id: string, options?: Options<'backtests.delete'>): Pending<Result<'backtests.delete'>>;
    /**
     * Stop a backtest.
     * `POST /v1/api/backtests/{id}/interrupt`
     */
    interrupt(id: string, options?: Options<'backtests.interrupt'>): Pending<Result<'backtests.interrupt'>>;
  };
  readonly shadows: {
    /**
     * Versions of a model in the shadow of an alias, newest first.
     * `GET /v1/api/models/{model_id}/shadows`
     */
    list(modelId: string, query?: Query<'shadows.list'>, options?: Options<'shadows.list'>): Paged<Result<'shadows.list'>>;
    /**
     * A version in the shadow of an alias, and how its answers differ.
     * `GET /v1/api/models/{model_id}/shadows/{version_id}`
     */
    get(modelId: string, versionId: string, options?: Options<'shadows.get'>): Pending<Result<'shadows.get'>>;
    /**
     * Have a version answer what an alias is asked too, and compare. From now on the version answers a
     * share of the real-time predictions of the alias too, a second or so after them and without a place
     * in their way: over the same data and as of the same moment. Whom a prediction is about says by a
     * hash whether it is in the share, so that somebody is in it always or never, and a larger share has
     * all of a smaller one. A share of 0 answers none and keeps what there is; another alias begins anew.
     * The version need not be active. Nothing is charged for its answers.
     * `PUT /v1/api/models/{model_id}/shadows/{version_id}`
     */
    set(modelId: string, versionId: string, body: Body<'shadows.set'>, options?: Options<'shadows.set'>): Pending<Result<'shadows.set'>>;
    /**
     * Take a version out of the shadow, and forget its answers.
     * `DELETE /v1/api/models/{model_id}/shadows/{version_id}`
     */
    delete(modelId: string, versionId: string, options?: Options<'shadows.delete'>): Pending<Result<'shadows.delete'>>;
  };
  readonly replays: {
    /**
     * Answer many predictions, or all rows of a batch, again to the byte. Predictions of the log by a
     * span, a model or a version, by their ids, or as a sample spread over versions and snapshots; or a
     * batch, whose rows are scored again and held against its result. The log and the result stay as they
     * are, and no quota is used.
     * `POST /v1/api/replays`
     */
    create(body: Body<'replays.create'>, options?: Options<'replays.create'>): Pending<Result<'replays.create'>>;
    /**
     * Replays, newest first.
     * `GET /v1/api/replays`
     */
    list(query?: Query<'replays.list'>, options?: Options<'replays.list'>): Paged<Result<'replays.list'>>;
    /**
     * One replay, with what it has found so far.
     * `GET /v1/api/replays/{id}`
     */
    get(id: string, query?: Query<'replays.get'>, options?: Options<'replays.get'>): Pending<Result<'replays.get'>>;
    /**
     * Stop a replay.
     * `POST /v1/api/replays/{id}/interrupt`
     */
    interrupt(id: string, options?: Options<'replays.interrupt'>): Pending<Result<'replays.interrupt'>>;
  };
  readonly modelValidations: {
    /**
     * Hold a version against the one that it would replace. By the newest labels that neither has learned
     * from, by what both say of the present, and by what they would have said of an earlier moment.
     * Training runs do so by themselves: against what their alias points at, or else the only alias of the
     * model, or production among several. Without alias and compare_with the version is held against
     * nothing but itself.
     * `POST /v1/api/models/{model_id}/versions/{version_id}/validations`
     */
    create(modelId: string, versionId: string, body: Body<'modelValidations.create'>, options?: Options<'modelValidations.create'>): Pending<Result<'modelValidations.create'>>;
    /**
     * Validations of a version, newest first.
     * `GET /v1/api/models/{model_id}/versions/{version_id}/validations`
     */
    list(modelId: string, versionId: string, query?: Query<'modelValidations.list'>, options?: Options<'modelValidations.list'>): Paged<Result<'modelValidations.list'>>;
    /**
     * One validation, with its result once it has succeeded.
     * `GET /v1/api/models/{model_id}/versions/{version_id}/validations/{id}`
     */
    get(modelId: string, versionId: string, id: string, query?: Query<'modelValidations.get'>, options?: Options<'modelValidations.get'>): Pending<Result<'modelValidations.get'>>;
    /**
     * Stop a validation.
     * `POST /v1/api/models/{model_id}/versions/{version_id}/validations/{id}/interrupt`
     */
    interrupt(modelId: string, versionId: string, id: string, options?: Options<'modelValidations.interrupt'>): Pending<Result<'modelValidations.interrupt'>>;
  };
  readonly events: {
    /**
     * What happened in the workspace, in the order in which it was committed, oldest first unless asked
     * otherwise. Each event is told to those who may read what it is about, and to nobody else. Whoever
     * asks again with the last id as after is told every event once.
     * `GET /v1/api/events`
     */
    list(query?: Query<'events.list'>, options?: Options<'events.list'>): Paged<Result<'events.list'>>;
    /**
     * One event. Each event is told to those who may read what it is about, and to nobody else.
     * `GET /v1/api/events/{id}`
     */
    get(id: string, options?: Options<'events.get'>): Pending<Result<'events.get'>>;
  };
  readonly eventTypes: {
    /**
     * The catalog of events: what webhooks, notifications and the audit log are told of. Types are added
     * over time, and fields to their payloads; none is taken away or changes its meaning.
     * `GET /v1/api/event-types`
     */
    list(options?: Options<'eventTypes.list'>): Pending<Result<'eventTypes.list'>>;
    /**
     * One event type.
     * `GET /v1/api/event-types/{name}`
     */
    get(name: string, options?: Options<'eventTypes.get'>): Pending<Result<'eventTypes.get'>>;
  };
  readonly notifications: {
    /**
     * What you were told, newest first. Yours, of the workspace; signed in also those of the organization
     * as a whole and of your account. A key sees what its maker is told in its workspace, as far as the
     * key may read it.
     * `GET /v1/api/notifications`
     */
    list(query?: Query<'notifications.list'>, options?: Options<'notifications.list'>): Paged<Result<'notifications.list'>>;
    /**
     * How much you have not seen and not read. Yours, of the workspace; signed in also those of the
     * organization as a whole and of your account. A key sees what its maker is told in its workspace, as
     * far as the key may read it.
     * `GET /v1/api/notifications/counts`
     */
    getCounts(options?: Options<'notifications.getCounts'>): Pending<Result<'notifications.getCounts'>>;
    /**
     * One of the notifications that you were sent.
     * `GET /v1/api/notifications/{id}`
     */
    get(id: string, options?: Options<'notifications.get'>): Pending<Result<'notifications.get'>>;
    /**
     * Mark a notification and all that came before it as read. What comes meanwhile stays unread.
     * `POST /v1/api/notifications/mark-all-read`
     */
    markAllRead(body: Body<'notifications.markAllRead'>, options?: Options<'notifications.markAllRead'>): Pending<Result<'notifications.markAllRead'>>;
    /**
     * Say that the inbox has shown a notification.
     * `POST /v1/api/notifications/{id}/seen`
     */
    markSeen(id: string, options?: Options<'notifications.markSeen'>): Pending<Result<'notifications.markSeen'>>;
    /**
     * Mark a notification as read.
     * `POST /v1/api/notifications/{id}/read`
     */
    markRead(id: string, options?: Options<'notifications.markRead'>): Pending<Result<'notifications.markRead'>>;
    /**
     * Mark a notification as unread.
     * `POST /v1/api/notifications/{id}/unread`
     */
    markUnread(id: string, options?: Options<'notifications.markUnread'>): Pending<Result<'notifications.markUnread'>>;
    /**
     * Put a notification aside.
     * `POST /v1/api/notifications/{id}/archive`
     */
    archive(id: string, options?: Options<'notifications.archive'>): Pending<Result<'notifications.archive'>>;
    /**
     * Take a notification back into the inbox.
     * `POST /v1/api/notifications/{id}/unarchive`
     */
    unarchive(id: string, options?: Options<'notifications.unarchive'>): Pending<Result<'notifications.unarchive'>>;
  };
  readonly notificationPreferences: {
    /**
     * What you are told in the workspace, by which channels, and whose choice that is. Of the events that
     * you may read.
     * `GET /v1/api/notification-preferences`
     */
    get(options?: Options<'notificationPreferences.get'>): Pending<Result<'notificationPreferences.get'>>;
    /**
     * Choose what you are told in the workspace.
     * `PATCH /v1/api/notification-preferences`
     */
    update(body: Body<'notificationPreferences.update'>, options?: Options<'notificationPreferences.update'>): Pending<Result<'notificationPreferences.update'>>;
  };
  readonly notificationDefaults: {
    /**
     * What people are told in the workspace who have chosen nothing themselves.
     * `GET /v1/api/notification-defaults`
     */
    get(options?: Options<'notificationDefaults.get'>): Pending<Result<'notificationDefaults.get'>>;
    /**
     * Choose what people are told in the workspace who have chosen nothing themselves.
     * `PATCH /v1/api/notification-defaults`
     */
    update(body: Body<'notificationDefaults.update'>, options?: Options<'notificationDefaults.update'>): Pending<Result<'notificationDefaults.update'>>;
  };
  readonly organizationNotificationPreferences: {
    /**
     * What you are told of the organization as a whole, by which channels, and whose choice that is. Of
     * the events that you may read.
     * `GET /v1/api/organization/notification-preferences`
     */
    get(options?: Options<'organizationNotificationPreferences.get'>): Pending<Result<'organizationNotificationPreferences.get'>>;
    /**
     * Choose what you are told of the organization as a whole.
     * `PATCH /v1/api/organization/notification-preferences`
     */
    update(body: Body<'organizationNotificationPreferences.update'>, options?: Options<'organizationNotificationPreferences.update'>): Pending<Result<'organizationNotificationPreferences.update'>>;
  };
  readonly organizationNotificationDefaults: {
    /**
     * What people are told of the organization as a whole who have chosen nothing themselves.
     * `GET /v1/api/organization/notification-defaults`
     */
    get(options?: Options<'organizationNotificationDefaults.get'>): Pending<Result<'organizationNotificationDefaults.get'>>;
    /**
     * Choose what people are told of the organization as a whole who have chosen nothing themselves.
     * `PATCH /v1/api/organization/notification-defaults`
     */
    update(body: Body<'organizationNotificationDefaults.update'>, options?: Options<'organizationNotificationDefaults.update'>): Pending<Result<'organizationNotificationDefaults.update'>>;
  };
  readonly mailSuppressions: {
    /**
     * Your addresses to which no notification is sent, because a mail server refused them.
     * `GET /v1/api/user/mail-suppressions`
     */
    list(options?: Options<'mailSuppressions.list'>): Pending<Result<'mailSuppressions.list'>>;
    /**
     * Have notifications sent to one of your addresses again.
     * `DELETE /v1/api/user/mail-suppressions/{id}`
     */
    delete(id: string, options?: Options<'mailSuppressions.delete'>): Pending<Result<'mailSuppressions.delete'>>;
  };
  readonly users: {
    /**
     * Sign up with a new organization. Sends a mail to the address, which must be of a company; nothing is
     * made before it is proved. The answer is the same whether the address has an account or not.
     * `POST /v1/api/users`
     */
    create(body: Body<'users.create'>, options?: Options<'users.create'>): Pending<Result<'users.create'>>;
    /**
     * End signing up with the token of the mail. Makes account, organization and workspace, and signs in.
     * `POST /v1/api/users/verification`
     */
    verify(body: Body<'users.verify'>, options?: Options<'users.verify'>): Pending<Result<'users.verify'>>;
  };
  readonly user: {
    /**
     * Your account, and where you have which roles.
     * `GET /v1/api/user`
     */
    get(options?: Options<'user.get'>): Pending<Result<'user.get'>>;
    /**
     * Change your name or language.
     * `PATCH /v1/api/user`
     */
    update(body: Body<'user.update'>, options?: Options<'user.update'>): Pending<Result<'user.update'>>;
    /**
     * Delete your account. Ends your roles, sessions and keys, and deletes your inbox and your choices.
     * What you did stays in the audit trail, with your address.
     * `DELETE /v1/api/user`
     */
    delete(options?: Options<'user.delete'>): Pending<Result<'user.delete'>>;
    /**
     * Ask to change your address. Sends a mail to the new one. It becomes yours with the token in it.
     * `PUT /v1/api/user/email`
     */
    requestEmail(body: Body<'user.requestEmail'>, options?: Options<'user.requestEmail'>): Pending<Result<'user.requestEmail'>>;
    /**
     * End a change of address with the token of the mail.
     * `POST /v1/api/user/email/verification`
     */
    verifyEmail(body: Body<'user.verifyEmail'>, options?: Options<'user.verifyEmail'>): Pending<Result<'user.verifyEmail'>>;
    /**
     * Change your password. Your other sessions end; API keys stay.
     * `PUT /v1/api/user/password`
     */
    setPassword(body: Body<'user.setPassword'>, options?: Options<'user.setPassword'>): Pending<Result<'user.setPassword'>>;
  };
  readonly sessions: {
    /**
     * Sign in with address and password. Sets the cookies of the session and of the device. Whoever has a
     * second factor gets 202 and a token, and gives the code next. A session ends after 30 minutes without
     * a request, and after 12 hours.
     * `POST /v1/api/sessions`
     */
    create(body: Body<'sessions.create'>, options?: Options<'sessions.create'>): Pending<Result<'sessions.create'>>;
    /**
     * Your sessions, newest first.
     * `GET /v1/api/sessions`
     */
    list(options?: Options<'sessions.list'>): Pending<Result<'sessions.list'>>;
    /**
     * End all your other sessions.
     * `DELETE /v1/api/sessions`
     */
    endOthers(options?: Options<'sessions.endOthers'>): Pending<Result<'sessions.endOthers'>>;
    /**
     * Give the code of the second factor, and be signed in. A code of the app, or one of the recovery
     * codes. Each is good once.
     * `POST /v1/api/sessions/second-factor`
     */
    createWithSecondFactor(body: Body<'sessions.createWithSecondFactor'>, options?: Options<'sessions.createWithSecondFactor'>): Pending<Result<'sessions.createWithSecondFactor'>>;
    /**
     * Sign in with the token of a link from the operator. The token is good once. Choose a password then:
     * PUT /v1/api/user/password.
     * `POST /v1/api/sessions/link`
     */
    createWithLink(body: Body<'sessions.createWithLink'>, options?: Options<'sessions.createWithLink'>): Pending<Result<'sessions.createWithLink'>>;
    /**
     * End one of your sessions.
     * `DELETE /v1/api/sessions/{id}`
     */
    end(id: string, options?: Options<'sessions.end'>): Pending<Result<'sessions.end'>>;
    /**
     * Begin to sign in with a passkey. Give the answer to `navigator.credentials.get` (by
     * `PublicKeyCredential.parseRequestOptionsFromJSON`). Whose passkey it will be is not asked.
     * `POST /v1/api/sessions/passkey/options`
     */
    createPasskeyOptions(options?: Options<'sessions.createPasskeyOptions'>): Pending<Result<'sessions.createPasskeyOptions'>>;
    /**
     * Sign in with what a passkey has signed. It stands for password and second factor. Sets the cookies
     * of the session and of the device.
     * `POST /v1/api/sessions/passkey`
     */
    createWithPasskey(body: Body<'sessions.createWithPasskey'>, options?: Options<'sessions.createWithPasskey'>): Pending<Result<'sessions.createWithPasskey'>>;
    /**
     * Find where people of a mail address sign in by single sign-on. It depends on the domain of the
     * address alone, not on whether there is such an account.
     * `POST /v1/api/sessions/sso`
     */
    findSso(body: Body<'sessions.findSso'>, options?: Options<'sessions.findSso'>): Pending<Result<'sessions.findSso'>>;
  };
  readonly session: {
    /**
     * Sign out.
     * `DELETE /v1/api/session`
     */
    end(options?: Options<'session.end'>): Pending<Result<'session.end'>>;
    /**
     * Prove once more who you are. What is sensitive is refused as reauthentication_required unless its
     * user proved within 10 minutes who they are. Sets a new cookie of the session; the old one is no
     * longer good.
     * `POST /v1/api/session/reauthentication`
     */
    reauthenticate(body: Body<'session.reauthenticate'>, options?: Options<'session.reauthenticate'>): Pending<Result<'session.reauthenticate'>>;
    /**
     * Begin to prove once more who you are, by one of your passkeys.
     * `POST /v1/api/session/reauthentication/passkey/options`
     */
    createPasskeyOptions(options?: Options<'session.createPasskeyOptions'>): Pending<Result<'session.createPasskeyOptions'>>;
    /**
     * Prove once more who you are, with what one of your passkeys has signed. Sets a new cookie of the
     * session; the old one is no longer good. A session that began by password alone counts from now on as
     * one with a second factor.
     * `POST /v1/api/session/reauthentication/passkey`
     */
    reauthenticateByPasskey(body: Body<'session.reauthenticateByPasskey'>, options?: Options<'session.reauthenticateByPasskey'>): Pending<Result<'session.reauthenticateByPasskey'>>;
  };
  readonly passwordResets: {
    /**
     * Ask for a mail with which to choose a new password. The answer is the same whether the address has
     * an account or not.
     * `POST /v1/api/password-resets`
     */
    create(body: Body<'passwordResets.create'>, options?: Options<'passwordResets.create'>): Pending<Result<'passwordResets.create'>>;
    /**
     * Choose a new password with the token of the mail. All sessions end; API keys stay. A token is good
     * once, for an hour, until a newer one is sent.
     * `POST /v1/api/password-resets/confirmation`
     */
    confirm(body: Body<'passwordResets.confirm'>, options?: Options<'passwordResets.confirm'>): Pending<Result<'passwordResets.confirm'>>;
  };
  readonly secondFactor: {
    /**
     * Your second factor.
     * `GET /v1/api/user/second-factor`
     */
    get(options?: Options<'secondFactor.get'>): Pending<Result<'secondFactor.get'>>;
    /**
     * Begin to set up an app for codes (TOTP). It counts once a code of it has confirmed it.
     * `POST /v1/api/user/second-factor/totp`
     */
    createTotp(options?: Options<'secondFactor.createTotp'>): Pending<Result<'secondFactor.createTotp'>>;
    /**
     * Take the app off your account.
     * `DELETE /v1/api/user/second-factor/totp`
     */
    removeTotp(options?: Options<'secondFactor.removeTotp'>): Pending<Result<'secondFactor.removeTotp'>>;
    /**
     * Confirm the app with a code that it shows.
     * `POST /v1/api/user/second-factor/totp/confirmation`
     */
    confirmTotp(body: Body<'secondFactor.confirmTotp'>, options?: Options<'secondFactor.confirmTotp'>): Pending<Result<'secondFactor.confirmTotp'>>;
    /**
     * Make new recovery codes; the old ones are no longer good.
     * `POST /v1/api/user/second-factor/recovery-codes`
     */
    createRecoveryCodes(options?: Options<'secondFactor.createRecoveryCodes'>): Pending<Result<'secondFactor.createRecoveryCodes'>>;
  };
  readonly passkeys: {
    /**
     * Begin to register a passkey. Give the answer to `navigator.credentials.create` (by
     * `PublicKeyCredential.parseCreationOptionsFromJSON`), and register within five minutes what it makes.
     * `POST /v1/api/user/passkeys/options`
     */
    createOptions(options?: Options<'passkeys.createOptions'>): Pending<Result<'passkeys.createOptions'>>;
    /**
     * Register the passkey that an authenticator has made. It signs you in from now on, in place of
     * password and second factor. A mail tells you.
     * `POST /v1/api/user/passkeys`
     */
    create(body: Body<'passkeys.create'>, options?: Options<'passkeys.create'>): Pending<Result<'passkeys.create'>>;
    /**
     * Your passkeys, newest first.
     * `GET /v1/api/user/passkeys`
     */
    list(options?: Options<'passkeys.list'>): Pending<Result<'passkeys.list'>>;
    /**
     * Rename one of your passkeys.
     * `PATCH /v1/api/user/passkeys/{id}`
     */
    rename(id: string, body: Body<'passkeys.rename'>, options?: Options<'passkeys.rename'>): Pending<Result<'passkeys.rename'>>;
    /**
     * Delete one of your passkeys. It signs nobody in any more. A mail tells you. Sessions that it began
     * go on.
     * `DELETE /v1/api/user/passkeys/{id}`
     */
    delete(id: string, options?: Options<'passkeys.delete'>): Pending<Result<'passkeys.delete'>>;
  };
  readonly organization: {
    /**
     * The organization in which you act.
     * `GET /v1/api/organization`
     */
    get(options?: Options<'organization.get'>): Pending<Result<'organization.get'>>;
    /**
     * Change name or settings of the organization in which you act.
     * `PATCH /v1/api/organization`
     */
    update(body: Body<'organization.update'>, options?: Options<'organization.update'>): Pending<Result<'organization.update'>>;
  };
  readonly workspaces: {
    /**
     * Workspaces of the organization, newest first.
     * `GET /v1/api/workspaces`
     */
    list(query?: Query<'workspaces.list'>, options?: Options<'workspaces.list'>): Paged<Result<'workspaces.list'>>;
    /**
     * Add a workspace to the organization.
     * `POST /v1/api/workspaces`
     */
    create(body: Body<'workspaces.create'>, options?: Options<'workspaces.create'>): Pending<Result<'workspaces.create'>>;
  };
  readonly workspace: {
    /**
     * The workspace in which you act.
     * `GET /v1/api/workspace`
     */
    get(options?: Options<'workspace.get'>): Pending<Result<'workspace.get'>>;
    /**
     * Change name, time zone or language of the workspace in which you act. Another time zone holds for
     * what is asked from then on.
     * `PATCH /v1/api/workspace`
     */
    update(body: Body<'workspace.update'>, options?: Options<'workspace.update'>): Pending<Result<'workspace.update'>>;
    /**
     * Archive the workspace in which you act. It can be read and not changed: everything else is refused
     * as workspace_archived. What is queued and what runs is interrupted.
     * `POST /v1/api/workspace/archive`
     */
    archive(options?: Options<'workspace.archive'>): Pending<Result<'workspace.archive'>>;
    /**
     * Take the workspace in which you act out of the archive.
     * `POST /v1/api/workspace/unarchive`
     */
    unarchive(options?: Options<'workspace.unarchive'>): Pending<Result<'workspace.unarchive'>>;
  };
  readonly setupSteps: {
    /**
     * What the service makes in this workspace by itself, and how far it is. Of the demo workspace: its
     * data, its models and examples of all else, in the order in which they are made. Any other workspace
     * has none.
     * `GET /v1/api/setup-steps`
     */
    list(options?: Options<'setupSteps.list'>): Pending<Result<'setupSteps.list'>>;
  };
  readonly roles: {
    /**
     * The roles and what each of them may do.
     * `GET /v1/api/roles`
     */
    list(options?: Options<'roles.list'>): Pending<Result<'roles.list'>>;
  };
  readonly members: {
    /**
     * Members of the workspace, newest first. With those whose role in the organization holds here.
     * `GET /v1/api/members`
     */
    list(query?: Query<'members.list'>, options?: Options<'members.list'>): Paged<Result<'members.list'>>;
    /**
     * Who came, went and changed role: members of the workspace, as CSV. A text that a spreadsheet would
     * run as a formula gets an apostrophe before it.
     * `GET /v1/api/members/history`
     */
    downloadHistory(options?: Options<'members.downloadHistory'>): Pending<Result<'members.downloadHistory'>>;
    /**
     * Give a member of the workspace another role. It holds from the next request on, for the keys that
     * the member made too.
     * `PATCH /v1/api/members/{user_id}`
     */
    setRole(userId: string, body: Body<'members.setRole'>, options?: Options<'members.setRole'>): Pending<Result<'members.setRole'>>;
    /**
     * Remove a member of the workspace. Ends their sessions and keys, and the open invitations that they
     * made, in the same moment.
     * `DELETE /v1/api/members/{user_id}`
     */
    remove(userId: string, options?: Options<'members.remove'>): Pending<Result<'members.remove'>>;
    /**
     * Give up your own role: leave the members of the workspace.
     * `POST /v1/api/members/leave`
     */
    leave(options?: Options<'members.leave'>): Pending<Result<'members.leave'>>;
  };
  readonly organizationMembers: {
    /**
     * Members of the organization as a whole, newest first. With those whose role in the organization
     * holds here.
     * `GET /v1/api/organization/members`
     */
    list(query?: Query<'organizationMembers.list'>, options?: Options<'organizationMembers.list'>): Paged<Result<'organizationMembers.list'>>;
    /**
     * Who came, went and changed role: members of the organization as a whole, as CSV. A text that a
     * spreadsheet would run as a formula gets an apostrophe before it.
     * `GET /v1/api/organization/members/history`
     */
    downloadHistory(options?: Options<'organizationMembers.downloadHistory'>): Pending<Result<'organizationMembers.downloadHistory'>>;
    /**
     * Give a member of the organization as a whole another role. It holds from the next request on, for
     * the keys that the member made too.
     * `PATCH /v1/api/organization/members/{user_id}`
     */
    setRole(userId: string, body: Body<'organizationMembers.setRole'>, options?: Options<'organizationMembers.setRole'>): Pending<Result<'organizationMembers.setRole'>>;
    /**
     * Remove a member of the organization as a whole. Ends their sessions and keys, and the open
     * invitations that they made, in the same moment.
     * `DELETE /v1/api/organization/members/{user_id}`
     */
    remove(userId: string, options?: Options<'organizationMembers.remove'>): Pending<Result<'organizationMembers.remove'>>;
    /**
     * Give up your own role: leave the members of the organization as a whole.
     * `POST /v1/api/organization/members/leave`
     */
    leave(options?: Options<'organizationMembers.leave'>): Pending<Result<'organizationMembers.leave'>>;
  };
  readonly invitations: {
    /**
     * Invitations to the workspace, newest first.
     * `GET /v1/api/invitations`
     */
    list(query?: Query<'invitations.list'>, options?: Options<'invitations.list'>): Paged<Result<'invitations.list'>>;
    /**
     * Invite somebody to the workspace. Sends a mail to an address of a company. It may be accepted once,
     * within 7 days, while who invited has the right to.
     * `POST /v1/api/invitations`
     */
    create(body: Body<'invitations.create'>, options?: Options<'invitations.create'>): Pending<Result<'invitations.create'>>;
    /**
     * Send an invitation to the workspace again. With a new token and 7 new days; the one sent before is
     * no longer good.
     * `POST /v1/api/invitations/{id}/resend`
     */
    resend(id: string, options?: Options<'invitations.resend'>): Pending<Result<'invitations.resend'>>;
    /**
     * Revoke an invitation to the workspace.
     * `DELETE /v1/api/invitations/{id}`
     */
    revoke(id: string, options?: Options<'invitations.revoke'>): Pending<Result<'invitations.revoke'>>;
    /**
     * Accept an invitation to the address of your account.
     * `POST /v1/api/invitations/acceptance`
     */
    accept(body: Body<'invitations.accept'>, options?: Options<'invitations.accept'>): Pending<Result<'invitations.accept'>>;
    /**
     * Accept an invitation without having an account: makes one, and signs in.
     * `POST /v1/api/invitations/account`
     */
    acceptAsNewcomer(body: Body<'invitations.acceptAsNewcomer'>, options?: Options<'invitations.acceptAsNewcomer'>): Pending<Result<'invitations.acceptAsNewcomer'>>;
  };
  readonly organizationInvitations: {
    /**
     * Invitations to the organization and all its workspaces, newest first.
     * `GET /v1/api/organization/invitations`
     */
    list(query?: Query<'organizationInvitations.list'>, options?: Options<'organizationInvitations.list'>): Paged<Result<'organizationInvitations.list'>>;
    /**
     * Invite somebody to the organization and all its workspaces. Sends a mail to an address of a company.
     * It may be accepted once, within 7 days, while who invited has the right to.
     * `POST /v1/api/organization/invitations`
     */
    create(body: Body<'organizationInvitations.create'>, options?: Options<'organizationInvitations.create'>): Pending<Result<'organizationInvitations.create'>>;
    /**
     * Send an invitation to the organization and all its workspaces again. With a new token and 7 new
     * days; the one sent before is no longer good.
     * `POST /v1/api/organization/invitations/{id}/resend`
     */
    resend(id: string, options?: Options<'organizationInvitations.resend'>): Pending<Result<'organizationInvitations.resend'>>;
    /**
     * Revoke an invitation to the organization and all its workspaces.
     * `DELETE /v1/api/organization/invitations/{id}`
     */
    revoke(id: string, options?: Options<'organizationInvitations.revoke'>): Pending<Result<'organizationInvitations.revoke'>>;
  };
  readonly apiKeys: {
    /**
     * API keys of the workspace, newest first.
     * `GET /v1/api/api-keys`
     */
    list(query?: Query<'apiKeys.list'>, options?: Options<'apiKeys.list'>): Paged<Result<'apiKeys.list'>>;
    /**
     * Make an API key. It acts in this workspace with your role, as that is at each request, and within
     * its scopes. Its secret is in this answer and in no other.
     * `POST /v1/api/api-keys`
     */
    create(body: Body<'apiKeys.create'>, options?: Options<'apiKeys.create'>): Pending<Result<'apiKeys.create'>>;
    /**
     * Rename an API key that you made.
     * `PATCH /v1/api/api-keys/{id}`
     */
    rename(id: string, body: Body<'apiKeys.rename'>, options?: Options<'apiKeys.rename'>): Pending<Result<'apiKeys.rename'>>;
    /**
     * Delete an API key. Its maker may, and whoever manages members. No request with it is answered from
     * then on.
     * `DELETE /v1/api/api-keys/{id}`
     */
    delete(id: string, options?: Options<'apiKeys.delete'>): Pending<Result<'apiKeys.delete'>>;
    /**
     * Give an API key that you made a new secret. The secret it had stays good for some hours, so that
     * callers can change over; the one before that ends at once.
     * `POST /v1/api/api-keys/{id}/rotation`
     */
    rotate(id: string, body: Body<'apiKeys.rotate'>, options?: Options<'apiKeys.rotate'>): Pending<Result<'apiKeys.rotate'>>;
  };
  readonly sftpFiles: {
    /**
     * Files that were put in by SFTP, newest first, and what became of them.
     * `GET /v1/api/sftp-files`
     */
    list(query?: Query<'sftpFiles.list'>, options?: Options<'sftpFiles.list'>): Paged<Result<'sftpFiles.list'>>;
  };
  readonly sftpServer: {
    /**
     * Where SFTP clients connect, and by which key they know the server.
     * `GET /v1/api/sftp-server`
     */
    get(options?: Options<'sftpServer.get'>): Pending<Result<'sftpServer.get'>>;
  };
  readonly sftpUsers: {
    /**
     * SFTP users of the workspace, newest first.
     * `GET /v1/api/sftp-users`
     */
    list(query?: Query<'sftpUsers.list'>, options?: Options<'sftpUsers.list'>): Paged<Result<'sftpUsers.list'>>;
    /**
     * Make an SFTP user. It puts files into batch/in and gets results from batch/out of this workspace,
     * with your role as that is at each request. Its password is in this answer and in no other.
     * `POST /v1/api/sftp-users`
     */
    create(body: Body<'sftpUsers.create'>, options?: Options<'sftpUsers.create'>): Pending<Result<'sftpUsers.create'>>;
    /**
     * Delete an SFTP user. Its connections can do nothing from then on. What it has put in stays, and its
     * batches go on.
     * `DELETE /v1/api/sftp-users/{id}`
     */
    delete(id: string, options?: Options<'sftpUsers.delete'>): Pending<Result<'sftpUsers.delete'>>;
  };
  readonly organizationIpRules: {
    /**
     * From where callers may come in, in the organization and all its workspaces, newest first.
     * `GET /v1/api/organization/ip-rules`
     */
    list(query?: Query<'organizationIpRules.list'>, options?: Options<'organizationIpRules.list'>): Paged<Result<'organizationIpRules.list'>>;
    /**
     * Name a network from which callers may come in, in the organization and all its workspaces. With
     * rules for their channel, callers come in from the networks that they name and from nowhere else;
     * without any, from everywhere. The organization, the workspace and the key have a list each, and an
     * address must be in all that are not empty. They hold from the next request on.
     * `POST /v1/api/organization/ip-rules`
     */
    create(body: Body<'organizationIpRules.create'>, options?: Options<'organizationIpRules.create'>): Pending<Result<'organizationIpRules.create'>>;
    /**
     * Delete a rule of the organization about addresses. Without the last one for their channel, callers
     * come in from everywhere.
     * `DELETE /v1/api/organization/ip-rules/{id}`
     */
    delete(id: string, query?: Query<'organizationIpRules.delete'>, options?: Options<'organizationIpRules.delete'>): Pending<Result<'organizationIpRules.delete'>>;
  };
  readonly ipRules: {
    /**
     * From where callers may come in, in the workspace and with its keys, newest first. Without those of
     * the organization, which hold here too.
     * `GET /v1/api/ip-rules`
     */
    list(query?: Query<'ipRules.list'>, options?: Options<'ipRules.list'>): Paged<Result<'ipRules.list'>>;
    /**
     * Name a network from which callers may come in, in the workspace or with one of its keys. With rules
     * for their channel, callers come in from the networks that they name and from nowhere else; without
     * any, from everywhere. The organization, the workspace and the key have a list each, and an address
     * must be in all that are not empty. They hold from the next request on.
     * `POST /v1/api/ip-rules`
     */
    create(body: Body<'ipRules.create'>, options?: Options<'ipRules.create'>): Pending<Result<'ipRules.create'>>;
    /**
     * Delete a rule of the workspace, or of one of its keys, about addresses. Without the last one for
     * their channel, callers come in from everywhere.
     * `DELETE /v1/api/ip-rules/{id}`
     */
    delete(id: string, query?: Query<'ipRules.delete'>, options?: Options<'ipRules.delete'>): Pending<Result<'ipRules.delete'>>;
  };
  readonly domains: {
    /**
     * Domains of the organization, newest first.
     * `GET /v1/api/organization/domains`
     */
    list(query?: Query<'domains.list'>, options?: Options<'domains.list'>): Paged<Result<'domains.list'>>;
    /**
     * Name a domain of the organization. The answer says which TXT record the DNS must have. Once it is
     * proved, people of the domain may sign in by single sign-on. A domain of free mail, and one above or
     * below a proved domain of another organization, is refused.
     * `POST /v1/api/organization/domains`
     */
    create(body: Body<'domains.create'>, options?: Options<'domains.create'>): Pending<Result<'domains.create'>>;
    /**
     * Prove a domain by its record in the DNS.
     * `POST /v1/api/organization/domains/{id}/verification`
     */
    verify(id: string, options?: Options<'domains.verify'>): Pending<Result<'domains.verify'>>;
    /**
     * Delete a domain of the organization. People of the domain no longer sign in by single sign-on, and
     * may sign in by password again.
     * `DELETE /v1/api/organization/domains/{id}`
     */
    delete(id: string, options?: Options<'domains.delete'>): Pending<Result<'domains.delete'>>;
  };
  readonly ssoConnections: {
    /**
     * Connections to identity providers, newest first.
     * `GET /v1/api/organization/sso-connections`
     */
    list(query?: Query<'ssoConnections.list'>, options?: Options<'ssoConnections.list'>): Paged<Result<'ssoConnections.list'>>;
    /**
     * A connection to an identity provider.
     * `GET /v1/api/organization/sso-connections/{id}`
     */
    get(id: string, options?: Options<'ssoConnections.get'>): Pending<Result<'ssoConnections.get'>>;
    /**
     * Change a connection. The issuer cannot be changed: add another connection.
     * `PATCH /v1/api/organization/sso-connections/{id}`
     */
    update(id: string, body: Body<'ssoConnections.update'>, options?: Options<'ssoConnections.update'>): Pending<Result<'ssoConnections.update'>>;
    /**
     * Delete a connection. Sessions that came through it end; people who sign in through another one are
     * known anew by it.
     * `DELETE /v1/api/organization/sso-connections/{id}`
     */
    delete(id: string, options?: Options<'ssoConnections.delete'>): Pending<Result<'ssoConnections.delete'>>;
    /**
     * Add a connection to a provider of OpenID Connect. It is inactive at first: tell the provider the
     * callback_url of the answer, then activate it.
     * `POST /v1/api/organization/sso-connections/oidc`
     */
    createOidc(body: Body<'ssoConnections.createOidc'>, options?: Options<'ssoConnections.createOidc'>): Pending<Result<'ssoConnections.createOidc'>>;
    /**
     * Add a connection to a provider of SAML 2.0. It is inactive at first: tell the provider the entity_id
     * and acs_url of the answer, then activate it.
     * `POST /v1/api/organization/sso-connections/saml`
     */
    createSaml(body: Body<'ssoConnections.createSaml'>, options?: Options<'ssoConnections.createSaml'>): Pending<Result<'ssoConnections.createSaml'>>;
    /**
     * Let people sign in through a connection. A provider of OpenID Connect is asked what it publishes.
     * The organization must have a break-glass admin who could sign in.
     * `POST /v1/api/organization/sso-connections/{id}/activation`
     */
    activate(id: string, options?: Options<'ssoConnections.activate'>): Pending<Result<'ssoConnections.activate'>>;
    /**
     * Let nobody sign in through a connection any more. Sessions that came through it end.
     * `POST /v1/api/organization/sso-connections/{id}/deactivation`
     */
    deactivate(id: string, options?: Options<'ssoConnections.deactivate'>): Pending<Result<'ssoConnections.deactivate'>>;
    /**
     * What a provider of SAML must know about this service, as metadata.
     * `GET /v1/api/sso-connections/{id}/metadata`
     */
    getMetadata(id: string, options?: Options<'ssoConnections.getMetadata'>): Pending<Result<'ssoConnections.getMetadata'>>;
  };
  readonly breakGlassAdmins: {
    /**
     * Who signs in with password and second factor when single sign-on does not answer.
     * `GET /v1/api/organization/break-glass-admins`
     */
    list(options?: Options<'breakGlassAdmins.list'>): Pending<Result<'breakGlassAdmins.list'>>;
    /**
     * Make a Creator of the whole organization a break-glass admin. An organization whose single sign-on
     * is on keeps at least one who could sign in.
     * `PUT /v1/api/organization/break-glass-admins/{user_id}`
     */
    add(userId: string, options?: Options<'breakGlassAdmins.add'>): Pending<Result<'breakGlassAdmins.add'>>;
    /**
     * Make a break-glass admin a member like others.
     * `DELETE /v1/api/organization/break-glass-admins/{user_id}`
     */
    remove(userId: string, options?: Options<'breakGlassAdmins.remove'>): Pending<Result<'breakGlassAdmins.remove'>>;
  };
  readonly quotas: {
    /**
     * The quotas that the workspace is under, and what is used of them. Set by the operator, or part of
     * the price plan. What is asked for beyond one is refused as quota_exceeded; predictions in a second
     * as rate_limited.
     * `GET /v1/api/quotas`
     */
    list(options?: Options<'quotas.list'>): Pending<Result<'quotas.list'>>;
  };
  readonly usage: {
    /**
     * What was used of the workspace: sums by day, month, model or version. Meters: predictions (answers),
     * batch_rows (scored rows), embeddings (vectors), storage_megabyte_days (megabytes stored for a day),
     * training_minutes (begun minutes of training runs that succeeded), training_runs (training runs).
     * What was used is counted within seconds; from the first of the month to today by default.
     * `GET /v1/api/usage`
     */
    list(query?: Query<'usage.list'>, options?: Options<'usage.list'>): Paged<Result<'usage.list'>>;
  };
  readonly usageRecords: {
    /**
     * The log of what was used of the workspace, newest first. Each record is an entry of the audit trail.
     * Storage is sampled once a day, and has none.
     * `GET /v1/api/usage-records`
     */
    list(query?: Query<'usageRecords.list'>, options?: Options<'usageRecords.list'>): Paged<Result<'usageRecords.list'>>;
    /**
     * The log of what was used of the workspace, as CSV. A text that a spreadsheet would run as a formula
     * gets an apostrophe before it.
     * `GET /v1/api/usage-records/export`
     */
    export(query?: Query<'usageRecords.export'>, options?: Options<'usageRecords.export'>): Pending<Result<'usageRecords.export'>>;
  };
  readonly organizationUsage: {
    /**
     * What was used of all workspaces of the organization: sums by day, month, model or version. Meters:
     * predictions (answers), batch_rows (scored rows), embeddings (vectors), storage_megabyte_days
     * (megabytes stored for a day), training_minutes (begun minutes of training runs that succeeded),
     * training_runs (training runs). What was used is counted within seconds; from the first of the month
     * to today by default.
     * `GET /v1/api/organization/usage`
     */
    list(query?: Query<'organizationUsage.list'>, options?: Options<'organizationUsage.list'>): Paged<Result<'organizationUsage.list'>>;
  };
  readonly organizationUsageRecords: {
    /**
     * The log of what was used of all workspaces of the organization, newest first. Each record is an
     * entry of the audit trail. Storage is sampled once a day, and has none.
     * `GET /v1/api/organization/usage-records`
     */
    list(query?: Query<'organizationUsageRecords.list'>, options?: Options<'organizationUsageRecords.list'>): Paged<Result<'organizationUsageRecords.list'>>;
    /**
     * The log of what was used of all workspaces of the organization, as CSV. A text that a spreadsheet
     * would run as a formula gets an apostrophe before it.
     * `GET /v1/api/organization/usage-records/export`
     */
    export(query?: Query<'organizationUsageRecords.export'>, options?: Options<'organizationUsageRecords.export'>): Pending<Result<'organizationUsageRecords.export'>>;
  };
  readonly invoices: {
    /**
     * Invoices of the organization, the newest month first. One for each month. That of the running month
     * is a draft: what it would be now.
     * `GET /v1/api/organization/invoices`
     */
    list(query?: Query<'invoices.list'>, options?: Options<'invoices.list'>): Paged<Result<'invoices.list'>>;
    /**
     * An invoice of the organization with its lines.
     * `GET /v1/api/organization/invoices/{id}`
     */
    get(id: string, options?: Options<'invoices.get'>): Pending<Result<'invoices.get'>>;
    /**
     * An invoice of the organization as a page to print.
     * `GET /v1/api/organization/invoices/{id}/html`
     */
    getPage(id: string, query?: Query<'invoices.getPage'>, options?: Options<'invoices.getPage'>): Pending<Result<'invoices.getPage'>>;
  };
  readonly pricePlan: {
    /**
     * The price plan by which the organization is charged. Prices are in reais. Units of a month fill the
     * tiers of their price one after the other.
     * `GET /v1/api/organization/price-plan`
     */
    get(options?: Options<'pricePlan.get'>): Pending<Result<'pricePlan.get'>>;
  };
  readonly webhooks: {
    /**
     * Webhooks of the workspace, newest first.
     * `GET /v1/api/webhooks`
     */
    list(query?: Query<'webhooks.list'>, options?: Options<'webhooks.list'>): Paged<Result<'webhooks.list'>>;
    /**
     * Register an address to which events are sent. Its secret, by which requests are signed, is in this
     * answer and in no other.
     * `POST /v1/api/webhooks`
     */
    create(body: Body<'webhooks.create'>, options?: Options<'webhooks.create'>): Pending<Result<'webhooks.create'>>;
    /**
     * A webhook.
     * `GET /v1/api/webhooks/{id}`
     */
    get(id: string, options?: Options<'webhooks.get'>): Pending<Result<'webhooks.get'>>;
    /**
     * Change a webhook, disable it or enable it again. What waits goes to the address, with the headers
     * and the signature, that the webhook has when it is sent. While it is disabled, deliveries are
     * skipped; they can be replayed, or recovered, once it is enabled again.
     * `PATCH /v1/api/webhooks/{id}`
     */
    update(id: string, body: Body<'webhooks.update'>, options?: Options<'webhooks.update'>): Pending<Result<'webhooks.update'>>;
    /**
     * Delete a webhook. Nothing more is sent to it. What was sent can still be read by the ids of the
     * deliveries.
     * `DELETE /v1/api/webhooks/{id}`
     */
    delete(id: string, options?: Options<'webhooks.delete'>): Pending<Result<'webhooks.delete'>>;
    /**
     * Give a webhook a new secret. For some hours requests have two signatures, one by the secret before,
     * so that receivers can change over.
     * `POST /v1/api/webhooks/{id}/rotation`
     */
    rotate(id: string, body: Body<'webhooks.rotate'>, options?: Options<'webhooks.rotate'>): Pending<Result<'webhooks.rotate'>>;
    /**
     * End an earlier secret of a webhook at once.
     * `DELETE /v1/api/webhooks/{id}/secrets/{secret_id}`
     */
    revokeSecret(id: string, secretId: string, options?: Options<'webhooks.revokeSecret'>): Pending<Result<'webhooks.revokeSecret'>>;
    /**
     * Send a test event to a webhook. An event webhook-test is sent once, whatever the webhook is
     * subscribed to. The delivery tells how it went; it counts neither for nor against the webhook.
     * `POST /v1/api/webhooks/{id}/test`
     */
    sendTest(id: string, options?: Options<'webhooks.sendTest'>): Pending<Result<'webhooks.sendTest'>>;
  };
  readonly webhookDeliveries: {
    /**
     * What was sent to a webhook, or waits to be, newest first.
     * `GET /v1/api/webhooks/{id}/deliveries`
     */
    list(id: string, query?: Query<'webhookDeliveries.list'>, options?: Options<'webhookDeliveries.list'>): Paged<Result<'webhookDeliveries.list'>>;
    /**
     * A delivery with all attempts. Also of a webhook that has been deleted.
     * `GET /v1/api/webhook-deliveries/{id}`
     */
    get(id: string, options?: Options<'webhookDeliveries.get'>): Pending<Result<'webhookDeliveries.get'>>;
    /**
     * Send a delivery again. Whatever became of it: a new delivery has the same message id and bytes, and
     * this one stays as it is.
     * `POST /v1/api/webhook-deliveries/{id}/replay`
     */
    replay(id: string, options?: Options<'webhookDeliveries.replay'>): Pending<Result<'webhookDeliveries.replay'>>;
  };
  readonly webhookRecoveries: {
    /**
     * Send again all that never arrived at a webhook since a moment. What failed or was skipped, and did
     * not arrive when it was sent again. It is made ready piece by piece, and goes on after a restart.
     * With dry_run nothing is sent, and the answer, with status 200, tells how many there are.
     * `POST /v1/api/webhooks/{id}/recoveries`
     */
    create(id: string, body: Body<'webhookRecoveries.create'>, options?: Options<'webhookRecoveries.create'>): Pending<Result<'webhookRecoveries.create'>>;
    /**
     * Recoveries of a webhook, newest first.
     * `GET /v1/api/webhooks/{id}/recoveries`
     */
    list(id: string, query?: Query<'webhookRecoveries.list'>, options?: Options<'webhookRecoveries.list'>): Paged<Result<'webhookRecoveries.list'>>;
    /**
     * How far a recovery has come.
     * `GET /v1/api/webhooks/{id}/recoveries/{recovery_id}`
     */
    get(id: string, recoveryId: string, options?: Options<'webhookRecoveries.get'>): Pending<Result<'webhookRecoveries.get'>>;
  };
  readonly auditEntries: {
    /**
     * What was done in the workspace, newest first. Entries are sealed about a second after they are
     * recorded; docs/audit.md says how they are verified. Reading is recorded too.
     * `GET /v1/api/audit-entries`
     */
    list(query?: Query<'auditEntries.list'>, options?: Options<'auditEntries.list'>): Paged<Result<'auditEntries.list'>>;
    /**
     * One act in the workspace. Reading is recorded too.
     * `GET /v1/api/audit-entries/{id}`
     */
    get(id: string, options?: Options<'auditEntries.get'>): Pending<Result<'auditEntries.get'>>;
    /**
     * The proof that an act in the workspace is in the signed tree. Entries are sealed about a second
     * after they are recorded; docs/audit.md says how they are verified.
     * `GET /v1/api/audit-entries/{id}/proof`
     */
    getProof(id: string, query?: Query<'auditEntries.getProof'>, options?: Options<'auditEntries.getProof'>): Pending<Result<'auditEntries.getProof'>>;
  };
  readonly organizationAuditEntries: {
    /**
     * What was done in the organization as a whole, newest first. Entries are sealed about a second after
     * they are recorded; docs/audit.md says how they are verified. Reading is recorded too.
     * `GET /v1/api/organization/audit-entries`
     */
    list(query?: Query<'organizationAuditEntries.list'>, options?: Options<'organizationAuditEntries.list'>): Paged<Result<'organizationAuditEntries.list'>>;
    /**
     * One act in the organization as a whole. Reading is recorded too.
     * `GET /v1/api/organization/audit-entries/{id}`
     */
    get(id: string, options?: Options<'organizationAuditEntries.get'>): Pending<Result<'organizationAuditEntries.get'>>;
    /**
     * The proof that an act in the organization as a whole is in the signed tree. Entries are sealed about
     * a second after they are recorded; docs/audit.md says how they are verified.
     * `GET /v1/api/organization/audit-entries/{id}/proof`
     */
    getProof(id: string, query?: Query<'organizationAuditEntries.getProof'>, options?: Options<'organizationAuditEntries.getProof'>): Pending<Result<'organizationAuditEntries.getProof'>>;
  };
  readonly auditCheckpoints: {
    /**
     * Checkpoints of the tree of the workspace's audit entries, newest first. A checkpoint is a signed
     * statement of all entries up to a moment. Who keeps one can tell whether they were changed.
     * `GET /v1/api/audit-checkpoints`
     */
    list(query?: Query<'auditCheckpoints.list'>, options?: Options<'auditCheckpoints.list'>): Paged<Result<'auditCheckpoints.list'>>;
    /**
     * The proof that the tree of the workspace's audit entries only grew between two checkpoints.
     * `GET /v1/api/audit-checkpoints/consistency`
     */
    getConsistency(query: Query<'auditCheckpoints.getConsistency'>, options?: Options<'auditCheckpoints.getConsistency'>): Pending<Result<'auditCheckpoints.getConsistency'>>;
  };
  readonly organizationAuditCheckpoints: {
    /**
     * Checkpoints of the tree of the organization's audit entries, newest first. A checkpoint is a signed
     * statement of all entries up to a moment. Who keeps one can tell whether they were changed.
     * `GET /v1/api/organization/audit-checkpoints`
     */
    list(query?: Query<'organizationAuditCheckpoints.list'>, options?: Options<'organizationAuditCheckpoints.list'>): Paged<Result<'organizationAuditCheckpoints.list'>>;
    /**
     * The proof that the tree of the organization's audit entries only grew between two checkpoints.
     * `GET /v1/api/organization/audit-checkpoints/consistency`
     */
    getConsistency(query: Query<'organizationAuditCheckpoints.getConsistency'>, options?: Options<'organizationAuditCheckpoints.getConsistency'>): Pending<Result<'organizationAuditCheckpoints.getConsistency'>>;
  };
  readonly auditKeys: {
    /**
     * The key by which checkpoints of audit trails are signed.
     * `GET /v1/api/audit-key`
     */
    get(options?: Options<'auditKeys.get'>): Pending<Result<'auditKeys.get'>>;
  };
  readonly auditExports: {
    /**
     * Export the audit entries of the workspace, to keep and to verify. All entries that were sealed
     * between two checkpoints, with what it takes to verify them: see docs/audit.md. Its files are kept
     * for 30 days.
     * `POST /v1/api/audit-exports`
     */
    create(body: Body<'auditExports.create'>, options?: Options<'auditExports.create'>): Pending<Result<'auditExports.create'>>;
    /**
     * Exports of the workspace's audit entries, newest first.
     * `GET /v1/api/audit-exports`
     */
    list(query?: Query<'auditExports.list'>, options?: Options<'auditExports.list'>): Paged<Result<'auditExports.list'>>;
    /**
     * One export of the workspace's audit entries.
     * `GET /v1/api/audit-exports/{id}`
     */
    get(id: string, options?: Options<'auditExports.get'>): Pending<Result<'auditExports.get'>>;
    /**
     * The entries of an export. Each request is recorded.
     * `GET /v1/api/audit-exports/{id}/entries`
     */
    downloadEntries(id: string, options?: Options<'auditExports.downloadEntries'>): Pending<Result<'auditExports.downloadEntries'>>;
    /**
     * What it takes to verify an export. Each request is recorded.
     * `GET /v1/api/audit-exports/{id}/manifest`
     */
    downloadManifest(id: string, options?: Options<'auditExports.downloadManifest'>): Pending<Result<'auditExports.downloadManifest'>>;
  };
  readonly organizationAuditExports: {
    /**
     * Export the audit entries of the organization, to keep and to verify. All entries that were sealed
     * between two checkpoints, with what it takes to verify them: see docs/audit.md. Its files are kept
     * for 30 days.
     * `POST /v1/api/organization/audit-exports`
     */
    create(body: Body<'organizationAuditExports.create'>, options?: Options<'organizationAuditExports.create'>): Pending<Result<'organizationAuditExports.create'>>;
    /**
     * Exports of the organization's audit entries, newest first.
     * `GET /v1/api/organization/audit-exports`
     */
    list(query?: Query<'organizationAuditExports.list'>, options?: Options<'organizationAuditExports.list'>): Paged<Result<'organizationAuditExports.list'>>;
    /**
     * One export of the organization's audit entries.
     * `GET /v1/api/organization/audit-exports/{id}`
     */
    get(id: string, options?: Options<'organizationAuditExports.get'>): Pending<Result<'organizationAuditExports.get'>>;
    /**
     * The entries of an export. Each request is recorded.
     * `GET /v1/api/organization/audit-exports/{id}/entries`
     */
    downloadEntries(id: string, options?: Options<'organizationAuditExports.downloadEntries'>): Pending<Result<'organizationAuditExports.downloadEntries'>>;
    /**
     * What it takes to verify an export. Each request is recorded.
     * `GET /v1/api/organization/audit-exports/{id}/manifest`
     */
    downloadManifest(id: string, options?: Options<'organizationAuditExports.downloadManifest'>): Pending<Result<'organizationAuditExports.downloadManifest'>>;
  };
}
