// Made from openapi.json by `npm run -w sdk types`: change it there.
export interface components {
    schemas: {
        readonly AcceptedContract: components["schemas"]["Contract"] & components["schemas"]["ContractAdoption"];
        readonly AlarmSignal: {
            /** @description A column, a feature in words, or a field of the answer; of a contract table.column, or a table. */
            readonly name: string;
            /** @enum {string} */
            readonly kind: "score" | "input" | "feature" | "unknown" | "outcome" | "column" | "table";
            /**
             * @description values: their distribution; missing: how much has none; break: the score since the alias was moved, against that of the version before; removed, renamed, retyped: what is read, by a contract; not_sent: an input that none of the newest predictions has.
             * @enum {string}
             */
            readonly of: "values" | "missing" | "break" | "calibration" | "discrimination" | "error" | "removed" | "renamed" | "retyped" | "not_sent";
            /** @description PSI; of outcomes observed over expected, the AUROC, or the mean absolute error; of a column or table the share of the importance of the version that reads it; of an input not sent the share of predictions that have it. */
            readonly value: number;
            /** @description Of PSI; of outcomes what the version promised; of an input not sent the share that had it. */
            readonly threshold: number;
            readonly before?: string | null;
            readonly after?: string | null;
        };
        readonly Alias: {
            readonly model_id: string;
            readonly alias: string;
            readonly version_id: string;
            readonly split?: components["schemas"]["SplitOf"];
            readonly updated_at: string;
        };
        readonly AliasRequest: {
            readonly version_id: string;
            readonly override?: components["schemas"]["GatesOverride"];
        };
        readonly AliasSplit: {
            readonly model_id: string;
            readonly alias: string;
            /** @description Who answers the share in place of the version that the alias points at. */
            readonly version_id: string;
            readonly share: number;
            readonly created_by: string;
            /** @description Answers since then are compared. */
            readonly created_at: string;
            readonly updated_at: string;
            /** @description The version that the alias points at, and the other one. */
            readonly arms: readonly components["schemas"]["SplitArm"][];
            /** @description Of outputs of which both have outcomes. */
            readonly differences: readonly components["schemas"]["SplitDifference"][];
        };
        readonly AliasSplitRequest: {
            readonly version_id: string;
            readonly share: number;
            readonly override?: components["schemas"]["GatesOverride"];
        };
        readonly ApiKey: {
            readonly id: string;
            readonly name: string;
            /** @description The beginning and the end of the secret. */
            readonly hint: string;
            /** @description Whose role the key acts with, as it is at each request. */
            readonly user_id: string;
            readonly scopes: readonly string[] | null;
            readonly created_at: string;
            readonly expires_at: string | null;
            readonly previous_until: string | null;
            readonly last_used_at: string | null;
            readonly last_used_ip: string | null;
            readonly last_used_agent: string | null;
        };
        readonly ApiKeyChange: {
            readonly name: string;
        };
        readonly ApiKeyPage: {
            readonly data: readonly components["schemas"]["ApiKey"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly ApiKeyRequest: {
            readonly name: string;
            readonly scopes?: readonly ("create_workspaces" | "archive_workspaces" | "view_models" | "manage_aliases" | "invoke_predictions" | "view_batches" | "create_batches" | "cancel_batches" | "download_results" | "delete_results" | "view_files" | "upload_files" | "download_files" | "delete_files" | "manage_api_keys" | "manage_webhooks" | "view_usage" | "view_invoices" | "view_usage_logs" | "view_activity_logs" | "manage_members" | "view_members")[] | null;
            readonly expires_in_days?: number | null;
        };
        readonly ApiKeyRotation: {
            /** @description How long the secret it had stays good: 24 by default, 0 to end it at once. */
            readonly overlap_hours?: number;
        };
        readonly Assertion: {
            readonly id: string;
            readonly rawId: string;
            /** @enum {string} */
            readonly type: "public-key";
            readonly response: {
                readonly clientDataJSON: string;
                readonly authenticatorData: string;
                readonly signature: string;
                readonly userHandle?: string;
            };
        };
        readonly Attestation: {
            readonly id: string;
            readonly rawId: string;
            /** @enum {string} */
            readonly type: "public-key";
            readonly response: {
                readonly clientDataJSON: string;
                readonly attestationObject: string;
                readonly transports?: readonly string[];
            };
        };
        readonly AuditActor: {
            /** @enum {string} */
            readonly type: "user" | "api_key" | "sftp_user" | "system" | "operator";
            readonly id: string | null;
            readonly label: string | null;
        };
        readonly AuditCheckpoint: {
            /** @description The id of the workspace, or of the organization for what is done in it as a whole. */
            readonly tree: string;
            /** @description How many leaves the tree had. */
            readonly size: number;
            /** @description That of the checkpoint before. */
            readonly previous_size: number;
            /** @description The root of the tree (RFC 6962), in hex. */
            readonly root: string;
            readonly at: string;
            readonly key_id: string;
            /** @description What is signed, with its signature: keep this to hold what comes later against it. */
            readonly note: string;
        };
        readonly AuditCheckpointPage: {
            readonly data: readonly components["schemas"]["AuditCheckpoint"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly AuditContext: {
            /** @enum {string} */
            readonly channel: "api" | "dashboard" | "sftp" | "cli";
            readonly ip: string | null;
            readonly user_agent: string | null;
            readonly request_id: string | null;
        };
        readonly AuditEntry: {
            readonly id: string;
            /** @description By the clock of the database, in UTC, with microseconds. */
            readonly recorded_at: string;
            readonly organization_id: string;
            readonly workspace_id: string | null;
            /** @description As the catalog of events names it; acts are added over time. */
            readonly action: string;
            readonly class: ("admin" | "data" | "auth" | "system") | null;
            /** @enum {string} */
            readonly outcome: "succeeded" | "denied" | "failed";
            readonly actor: components["schemas"]["AuditActor"];
            readonly target: components["schemas"]["AuditTarget"];
            readonly context: components["schemas"]["AuditContext"];
            /** @description By action. */
            readonly data: {
                readonly [key: string]: unknown;
            };
            /** @description Whether the actor's label, address and agent have been taken out. */
            readonly is_redacted: boolean;
            readonly leaf_index: number | null;
        };
        readonly AuditEntryPage: {
            readonly data: readonly components["schemas"]["AuditEntry"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly AuditExport: {
            readonly id: string;
            /** @enum {string} */
            readonly format: "ndjson" | "csv";
            readonly from: string | null;
            readonly to: string | null;
            /** @enum {string} */
            readonly status: "queued" | "running" | "succeeded" | "failed";
            readonly first_index: number | null;
            readonly end_index: number | null;
            /** @description From 0 to 1. */
            readonly progress: number;
            readonly entries: components["schemas"]["AuditExportFile"] | null;
            readonly manifest: components["schemas"]["AuditExportFile"] | null;
            readonly failure: components["schemas"]["JobFailure"] | null;
            readonly created_at: string;
            readonly finished_at: string | null;
        };
        readonly AuditExportFile: {
            readonly bytes: number;
            readonly sha256: string;
        };
        readonly AuditExportPage: {
            readonly data: readonly components["schemas"]["AuditExport"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly AuditExportRequest: {
            /**
             * @description ndjson, the default, or csv, in which no text is a formula.
             * @enum {string}
             */
            readonly format?: "ndjson" | "csv";
            /** @description RFC 3339: from the last checkpoint at that moment or before it; by default from the first entry. */
            readonly from?: string;
            /** @description RFC 3339: to the first checkpoint at that moment or after it; by default to the newest. */
            readonly to?: string;
        };
        readonly AuditGrowth: {
            readonly older: components["schemas"]["AuditCheckpoint"];
            readonly newer: components["schemas"]["AuditCheckpoint"];
            /** @description The consistency proof of RFC 6962 §2.1.2, in hex. */
            readonly path: readonly string[];
        };
        readonly AuditKey: {
            readonly name: string;
            readonly key_id: string;
            readonly algorithm: string;
            /** @description As C2SP's signed-note writes keys. */
            readonly public_key: string;
        };
        readonly AuditProof: {
            readonly entry_id: string;
            readonly leaf_index: number;
            /** @description SHA-256, in hex, of a zero byte and the entry's canonical JSON. */
            readonly leaf_hash: string;
            /** @description The inclusion proof of RFC 6962 §2.1.1, in hex, lowest first. */
            readonly path: readonly string[];
            readonly checkpoint: components["schemas"]["AuditCheckpoint"];
        };
        readonly AuditTarget: {
            readonly type: string;
            readonly id: string | null;
        };
        readonly Backtest: {
            readonly id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "succeeded" | "failed" | "interrupted";
            readonly model: components["schemas"]["BacktestModel"];
            readonly compare_with: components["schemas"]["BacktestModel"] | null;
            readonly from: string;
            /** @description Not included. */
            readonly until: string;
            /**
             * @description Each row is answered as of its own moment, and nothing later is read.
             * @enum {string}
             */
            readonly as_of: "then";
            readonly cutoff: (components["schemas"]["ByScore"] | components["schemas"]["ByProbability"] | components["schemas"]["ByValue"]) | null;
            readonly snapshot_id: string;
            readonly phase: string | null;
            readonly fraction: number;
            readonly result: components["schemas"]["BacktestResult"] | null;
            readonly failure: components["schemas"]["JobFailure"] | null;
            readonly created_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
        };
        readonly BacktestBin: {
            readonly from: number;
            readonly to: number;
            readonly before: number;
            readonly after: number;
        };
        readonly BacktestChange: {
            readonly from: number;
            readonly to: number;
            readonly rows: number;
        };
        readonly BacktestDecisions: {
            readonly accepted: components["schemas"]["BacktestPair"];
            readonly expected: components["schemas"]["BacktestExpected"];
            readonly swapped_in: components["schemas"]["BacktestGroup"];
            readonly swapped_out: components["schemas"]["BacktestGroup"];
            readonly kept_in: components["schemas"]["BacktestGroup"];
            readonly kept_out: components["schemas"]["BacktestGroup"];
        };
        /** @description Of what each accepts, the sum of its own probabilities or numbers: such as the defaults that it expects. */
        readonly BacktestExpected: {
            readonly before: number;
            readonly after: number;
        };
        readonly BacktestGroup: {
            readonly rows: number;
            readonly expected: components["schemas"]["BacktestPair"];
            /** @description Of how many the tables say by now what came true. */
            readonly labelled: number;
            readonly observed: number | null;
        };
        readonly BacktestLabelled: {
            /** @description Rows of which the tables say by now what came true. */
            readonly rows: number;
            readonly observed: number | null;
            readonly metrics: components["schemas"]["BacktestMetrics"];
        };
        readonly BacktestMetrics: {
            readonly auroc?: components["schemas"]["BacktestPair"];
            readonly average_precision?: components["schemas"]["BacktestPair"];
            readonly kolmogorov_smirnov?: components["schemas"]["BacktestPair"];
            readonly log_loss?: components["schemas"]["BacktestPair"];
            readonly brier?: components["schemas"]["BacktestPair"];
            readonly accuracy?: components["schemas"]["BacktestPair"];
            readonly f1?: components["schemas"]["BacktestPair"];
            readonly mae?: components["schemas"]["BacktestPair"];
            readonly rmse?: components["schemas"]["BacktestPair"];
            readonly r2?: components["schemas"]["BacktestPair"];
            readonly multiclass_accuracy?: components["schemas"]["BacktestPair"];
            readonly multiclass_macro_f1?: components["schemas"]["BacktestPair"];
            readonly multiclass_log_loss?: components["schemas"]["BacktestPair"];
        };
        readonly BacktestMigration: {
            /** @enum {string} */
            readonly by: "band" | "class" | "tenth";
            readonly groups: readonly string[];
            /** @description By group before, and in it by group after. */
            readonly rows: readonly (readonly number[])[];
            /** @description Share of rows in another group. */
            readonly moved: number;
        };
        readonly BacktestModel: {
            readonly model_id: string;
            readonly alias: string | null;
            readonly version_id: string;
            readonly number: number;
        };
        readonly BacktestMover: {
            readonly prediction_id: string;
            readonly before: number;
            readonly after: number;
        };
        readonly BacktestPage: {
            readonly data: readonly components["schemas"]["Backtest"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly BacktestPair: {
            readonly before: number;
            readonly after: number;
        };
        readonly BacktestPart: {
            readonly name: string;
            readonly rows: number;
            readonly mean: components["schemas"]["BacktestPair"] | null;
            /** @description Share of rows in another group of migration. */
            readonly moved: number;
            readonly accepted: components["schemas"]["BacktestPair"] | null;
            readonly swapped_in: number | null;
            readonly swapped_out: number | null;
            readonly labelled: number;
            readonly observed: number | null;
        };
        readonly BacktestRefused: {
            readonly code: string;
            readonly column: string | null;
            readonly rows: number;
        };
        readonly BacktestRequest: {
            /** @description The version that answers: "<model>/<alias, version number or id>", or its parts. It need not be active. */
            readonly model: string | components["schemas"]["TargetByParts"];
            /** @description A version of the same model to compare with; without it, what was answered. */
            readonly compare_with?: string | components["schemas"]["TargetByParts"];
            /** @description RFC 3339: predictions that were answered at that moment or later. 90 days before until by default, and 366 at most. */
            readonly from?: string;
            /** @description RFC 3339: predictions that were answered before that moment; now by default. */
            readonly until?: string;
            /**
             * @description Each prediction is answered as of its own moment.
             * @enum {string}
             */
            readonly as_of?: "then";
            /** @description Where decisions are made: accepted from this score on; up to this probability of a risk, or from this one of anything else on; from this number on. */
            readonly cutoff?: components["schemas"]["ByScore"] | components["schemas"]["ByProbability"] | components["schemas"]["ByValue"];
        };
        readonly BacktestResult: {
            readonly rows: components["schemas"]["BacktestRows"];
            /** @description Who had answered them, those that did most leading. */
            readonly versions: readonly components["schemas"]["BacktestedVersion"][];
            /** @description The field of the answers that is compared. */
            readonly field: string;
            readonly mean: components["schemas"]["BacktestPair"] | null;
            readonly mean_change: number | null;
            readonly rank_correlation: number | null;
            readonly psi: number | null;
            readonly ks: number | null;
            /** @description Share of rows with the same answer. */
            readonly equal: number;
            /** @description Of scores, where there is one; empty for classes. */
            readonly distribution: readonly components["schemas"]["BacktestBin"][];
            /** @description How many moved by from or more and less than to, in the unit of distribution; none where none moved. */
            readonly changes: readonly components["schemas"]["BacktestChange"][];
            readonly migration: components["schemas"]["BacktestMigration"];
            /** @description The rows of each group of migration before. */
            readonly by_group: readonly components["schemas"]["BacktestPart"][];
            readonly decisions: components["schemas"]["BacktestDecisions"] | null;
            /** @description By the month in which a prediction was answered, as 2026-01. */
            readonly by_month: readonly components["schemas"]["BacktestPart"][];
            readonly labelled: components["schemas"]["BacktestLabelled"];
            readonly moved_most: readonly components["schemas"]["BacktestMover"][];
        };
        readonly BacktestRows: {
            readonly logged: number;
            /** @description Those that both have answered. */
            readonly compared: number;
            /** @description Why a version answers rows not, which its real-time route would refuse. */
            readonly refused: readonly components["schemas"]["BacktestRefused"][];
        };
        readonly BacktestedVersion: {
            readonly version_id: string;
            readonly rows: number;
        };
        readonly Batch: {
            readonly id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "succeeded" | "failed";
            readonly model: components["schemas"]["BatchModel"] | null;
            /** @description The data that every row is scored with. */
            readonly snapshot_id: string;
            readonly reference_date: string | null;
            /** @description The moment asked about where a row names no day. */
            readonly as_of: string;
            readonly batches_before: number | null;
            readonly waits_for: ("turn" | "others" | "worker" | "process") | null;
            readonly start_eta: string | null;
            readonly priority: number;
            readonly output_format: string | null;
            readonly metadata: unknown;
            readonly include: readonly ("interval" | "row" | "warnings" | "input_columns")[];
            /**
             * @description Of the sentences of the result.
             * @enum {string}
             */
            readonly language: "en" | "pt-BR";
            readonly reference_column: string | null;
            /** @description The columns of the files that inputs are read from, by input, where these have other names. */
            readonly column_mapping: {
                readonly [key: string]: string;
            };
            /**
             * @description What CSV results do with texts that a spreadsheet would run as formulas.
             * @enum {string}
             */
            readonly csv_formulas: "escape" | "raw";
            /**
             * @description How CSV results are written.
             * @enum {string}
             */
            readonly csv_dialect: "standard" | "excel_semicolon";
            readonly progress: components["schemas"]["BatchProgress"];
            readonly files: readonly components["schemas"]["BatchFile"][];
            readonly warnings: readonly components["schemas"]["BatchWarning"][];
            readonly failure: components["schemas"]["JobFailure"] | null;
            readonly corrects: string | null;
            /** @description Batches with corrected rows of this one, newest first; at most 20. */
            readonly corrected_by: readonly components["schemas"]["BatchCorrection"][];
            readonly created_at: string;
            readonly started_at: string | null;
            readonly interrupt_requested_at: string | null;
            readonly finished_at: string | null;
            readonly result_deleted_at: string | null;
        };
        readonly BatchCorrection: {
            readonly id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "succeeded" | "failed";
            readonly rows: components["schemas"]["BatchCorrectionRows"];
        };
        readonly BatchCorrectionRows: {
            readonly total: number | null;
            readonly succeeded: number;
        };
        readonly BatchError: {
            readonly file_id: string;
            /** @description Its path. */
            readonly file: string;
            readonly row: number | null;
            readonly column: string | null;
            /** @description unreadable_row, invalid_input, missing_input, unknown_endpoint, reference_date_in_future; for a file: as its failure. */
            readonly code: string;
            readonly message: string;
            readonly because?: components["schemas"]["Because"];
        };
        readonly BatchErrorPage: {
            readonly data: readonly components["schemas"]["BatchError"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly BatchFile: {
            readonly file_id: string;
            readonly path: string;
            readonly output_path: string | null;
            readonly rows: components["schemas"]["BatchRows"];
            readonly failure: components["schemas"]["JobFailure"] | null;
        };
        readonly BatchModel: {
            readonly model_id: string;
            readonly alias: string | null;
            readonly version_id: string;
        };
        readonly BatchPage: {
            readonly data: readonly components["schemas"]["Batch"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly BatchProgress: {
            readonly rows: components["schemas"]["BatchRows"];
            readonly fraction: number;
            readonly eta: string | null;
        };
        readonly BatchRequest: {
            readonly files: readonly (string | components["schemas"]["FileByPath"])[];
            /** @description Whom to ask: "<model>/<alias or version id>", or its parts. Rows may name another in a column `endpoint`. */
            readonly model: string | components["schemas"]["TargetByParts"];
            /** @description Score as of the end of this day. */
            readonly reference_date?: string;
            /** @description Higher goes first; 0 by default. Each point counts as ten minutes of waiting. */
            readonly priority?: number;
            /**
             * @description That of each input by default.
             * @enum {string}
             */
            readonly output_format?: "parquet" | "csv" | "jsonl";
            /** @description Yours; given back as is. */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
            /** @description interval: a column with the bounds of each answer, as JSON by field. row: a column with the number of the row in its file, from 1 and without a header, as errors name it. warnings: a column with the codes of what the warnings of the batch say of the row, with semicolons between them in CSV and as a JSON list in Parquet and JSONL; empty where there is nothing to say. input_columns: the columns of the file that nothing else reads, as texts at the end of the row; one that is called as a column of the answer is called input_<name>. */
            readonly include?: readonly ("interval" | "row" | "warnings" | "input_columns")[];
            /**
             * @description Of the sentences of the result; that of the workspace by default.
             * @enum {string}
             */
            readonly language?: "en" | "pt-BR";
            /** @description A column of the files that no model of the batch reads: it stands in each row of the result as reference_id. A file without it fails. */
            readonly reference_column?: string;
            /** @description The id of a batch of the workspace that has ended: the files have rows of it, corrected, that it left out or warned of. Both say so of each other (`corrects`, `corrected_by`). */
            readonly corrects?: string;
            /** @description The columns of the files that inputs are read from, by input, where they are not called as these are: {"document": "CNPJ"}. The inputs are those of the batch's model; rows that name other models have the same names mapped. Upper and lower case of a column are the same. A file without a column named here fails. */
            readonly column_mapping?: {
                readonly [key: string]: string;
            };
            /**
             * @description Of CSV results. escape, the default: a text that a spreadsheet would run as a formula gets an apostrophe before it. raw: texts are as they were sent.
             * @enum {string}
             */
            readonly csv_formulas?: "escape" | "raw";
            /**
             * @description Of CSV results. standard, the default: commas between fields, decimal points. excel_semicolon: semicolons between fields, decimal commas and a byte order mark, as Excel opens a file by itself in Portuguese and most languages of Europe.
             * @enum {string}
             */
            readonly csv_dialect?: "standard" | "excel_semicolon";
        };
        readonly BatchResult: {
            readonly download_url: string;
            readonly expires_at: string;
            readonly files: readonly components["schemas"]["BatchResultFile"][];
        };
        readonly BatchResultBand: {
            readonly band: string;
            readonly rows: number;
            /** @description How many of these are of somebody of whom nothing is known (`data_coverage` none): their band is what is usual of such, and no judgement. */
            readonly unknown: number;
        };
        readonly BatchResultFile: {
            /** @description The input. */
            readonly file_id: string;
            readonly path: string;
            readonly download_url: string;
            readonly rows: number;
            readonly bytes: number;
            readonly sha256: string;
        };
        /** @description The values by column, as the file has them: of CSV they are texts. null where there is none. */
        readonly BatchResultRow: {
            readonly [key: string]: string | number | boolean | null;
        };
        readonly BatchResultRows: {
            /** @description Of the file, in its order. */
            readonly columns: readonly string[];
            /** @description How many rows of the file are told, on all pages. */
            readonly rows: number;
            /** @description Of all rows of the file, how many have each `risk_band`; none of a file without it. */
            readonly bands: readonly components["schemas"]["BatchResultBand"][];
            readonly data: readonly components["schemas"]["BatchResultRow"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly BatchRowWarning: {
            readonly file_id: string;
            /** @description Its path. */
            readonly file: string;
            /** @description Data row of the file, from 1. */
            readonly row: number;
            /** @description Of the file. */
            readonly column: string;
            /** @enum {string} */
            readonly code: "wrong_check_digits";
        };
        readonly BatchRowWarningPage: {
            readonly data: readonly components["schemas"]["BatchRowWarning"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly BatchRows: {
            readonly total: number | null;
            readonly processed: number;
            readonly succeeded: number;
            /** @description Left out of the result; GET …/errors says why. */
            readonly failed: number;
        };
        readonly BatchWarning: {
            readonly code: string;
            readonly file_id: string;
            readonly path: string;
            readonly message: string;
            /** @description What the message names, by the code: to say it in other words. Of rows: what it is `about` (a condition also in words, `about_en` and `about_pt-BR`), how many `rows`, of how many `answered`. */
            readonly values?: {
                readonly [key: string]: string | number | boolean | readonly string[];
            };
            /** @description Of rows: the numbers of the first of them in their file, from 1 and without a header. `include: ["warnings"]` has a column in the result that tells all. */
            readonly first_rows?: readonly number[];
        };
        /** @description What a sentence beside it says as a code, with the values that it names. */
        readonly Because: {
            readonly code: string;
        } & {
            readonly [key: string]: unknown;
        };
        readonly BreakGlassAdmin: {
            readonly user_id: string;
            readonly email: string;
            readonly name: string;
            /** @description Whether they could sign in that way now: with a password, a proved address and an app for codes. */
            readonly ready: boolean;
            readonly created_at: string;
        };
        readonly BreakGlassAdmins: {
            readonly data: readonly components["schemas"]["BreakGlassAdmin"][];
        };
        readonly ByProbability: {
            readonly probability: number;
        };
        readonly ByScore: {
            readonly score: number;
        };
        readonly ByValue: {
            readonly value: number;
        };
        readonly ChangeableInput: {
            /** @description An input of the version that is no key, no reference, and neither personal nor protected. */
            readonly input: string;
            /** @description Of a number or a date; any by default, and of what is not given. */
            readonly direction?: "increase" | "decrease" | "any";
            /** @description Within what the data have, which bounds it anyway. Of dates a day. */
            readonly minimum?: number | string;
            /** @description As minimum. */
            readonly maximum?: number | string;
            /** @description Numbers change by multiples of it, dates by as many days. By default the unit of the data. */
            readonly step?: number;
            /** @description Only these, within what the data have. */
            readonly values?: readonly (number | boolean | string)[];
            /** @description Of one unit of change of a number, of a day, or of another value. By default 1 of another value, and of as much of a number as lies between the first and the ninth tenth of the data. */
            readonly cost?: number;
        };
        readonly ChangeableInputFound: {
            readonly input: string;
            readonly because: ("known_entity" | "protected" | "personal" | "key" | "reference" | "reference_date" | "dates_row" | "type" | "many_values" | "no_values") | null;
            /** @description Null: not given, or not to be changed. */
            readonly value: unknown;
            readonly minimum: (number | boolean | string) | null;
            readonly maximum: (number | boolean | string) | null;
            readonly step: number | null;
            readonly values: readonly (number | boolean | string)[] | null;
        };
        readonly Contract: {
            readonly id: string;
            /** @description Counts the versions of this workspace from 1. */
            readonly number: number;
            /** @enum {string} */
            readonly status: "proposed" | "active" | "superseded" | "rejected";
            /** @description The contract in YAML: a subset of the Open Data Contract Standard. */
            readonly document: string;
            /** @description The contract that was active when it was proposed; it can be accepted as long as that is active. */
            readonly base_id: string | null;
            /** @description Against that contract; of one inferred from the first files, what was found and why (reason, and because as codes with their values), whether it is in the contract (applied) or only a remark, and what was seen of its column (seen: rows, those filled, distinct values, and examples of dates and numbers; never of keys, references or personal data). */
            readonly changes: readonly unknown[];
            /** @description The ingestion whose files ask for it. */
            readonly ingestion_id: string | null;
            readonly created_at: string;
            readonly accepted_at: string | null;
        };
        readonly ContractAdoption: {
            /** @description The ingestion that brings the data under it. Null where it was not accepted, where no data have to change, and where tables must be sent again. */
            readonly started_ingestion_id: string | null;
            /** @description Tables that it stores otherwise and of which files are gone: send all of their rows with mode replace. Until then training runs are refused, and ingestions without them. */
            readonly tables_to_send_again: readonly string[];
        };
        readonly ContractPage: {
            readonly data: readonly components["schemas"]["Contract"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly ContractParts: {
            /** @description The contract in YAML. */
            readonly document: string;
            /** @description Make it the active one at once. */
            readonly accept?: boolean;
            /** @description A refused ingestion whose files wait for this version: they come in under it once it is accepted. */
            readonly ingestion_id?: string;
        };
        readonly ContractProposal: components["schemas"]["Contract"] & components["schemas"]["ContractAdoption"];
        readonly ContractRequest: {
            /** @description The contract in YAML. */
            readonly document: string;
            /** @description Make it the active one at once. */
            readonly accept?: boolean;
            /** @description A refused ingestion whose files wait for this version: they come in under it once it is accepted. */
            readonly ingestion_id?: string;
        };
        readonly CountedLabels: {
            /** @description The output whose labels they are: the first. */
            readonly output: string;
            /** @description All labels. */
            readonly rows: number;
            /** @description Without months that have none; empty where labels are categories. */
            readonly months: readonly components["schemas"]["LabelMonth"][];
            /** @description What is odd about them. */
            readonly warnings: readonly string[];
            /** @description What the first of warnings say, in their order: the code of each, and what it names. */
            readonly warning_codes?: readonly components["schemas"]["Because"][];
        };
        readonly Counterfactual: {
            /** @description Empty where the answer is as it should be already. */
            readonly changes: readonly components["schemas"]["CounterfactualChange"][];
            readonly cost: number;
            /** @description The outputs of the version, without reasons. */
            readonly outputs: {
                readonly [key: string]: unknown;
            };
        };
        readonly CounterfactualChange: {
            readonly input: string;
            /** @description Null: not given. */
            readonly from: unknown;
            readonly to: unknown;
            readonly cost: number;
        };
        readonly CounterfactualRequest: {
            /** @description Those of a prediction: `POST /v1/api/prediction/{model_id}/{name}`. */
            readonly inputs: {
                readonly [key: string]: unknown;
            };
            readonly target?: components["schemas"]["CounterfactualTarget"];
            /** @description What may be changed. Empty: nothing is searched, and the answer to the inputs is given with what could be changed. */
            readonly changeable: readonly components["schemas"]["ChangeableInput"][];
            /** @description Inputs changed at once; 3 by default. */
            readonly most_changes?: number;
            /** @description Answers wanted; 3 by default. */
            readonly alternatives?: number;
        };
        readonly CounterfactualSearch: {
            /** @description Whether nothing of fewer changes, or of as many at less cost, was left untried. */
            readonly exhaustive: boolean;
            /** @description Cases that were tried. */
            readonly candidates: number;
        };
        /** @description One of below, above and band. */
        readonly CounterfactualTarget: {
            /** @description Which field of the answer; by default its first number, or with `band` its first text. */
            readonly output?: string;
            /** @description The number is to be less than this. */
            readonly below?: number;
            /** @description The number is to be this or more. */
            readonly above?: number;
            /** @description The text, such as risk_band, is to be this or one of these. */
            readonly band?: string | readonly string[];
        };
        readonly CounterfactualTargetMeant: {
            readonly output: string;
            readonly below: number | null;
            readonly above: number | null;
            readonly is: readonly string[] | null;
        };
        readonly Counterfactuals: {
            readonly model_id: string;
            readonly version_id: string;
            readonly snapshot_id: string;
            /** @description The moment that all of these answers are as of. */
            readonly as_of: string;
            readonly target: components["schemas"]["CounterfactualTargetMeant"] | null;
            /** @description The outputs of the version, without reasons. */
            readonly prediction: {
                readonly [key: string]: unknown;
            };
            readonly changeable_inputs: readonly components["schemas"]["ChangeableInputFound"][] | null;
            /** @description Whether some change reaches the target, or none is needed. */
            readonly found: boolean;
            /** @description Those of the fewest changes first, then the cheaper; each changes other inputs. */
            readonly counterfactuals: readonly components["schemas"]["Counterfactual"][];
            readonly searched: components["schemas"]["CounterfactualSearch"];
            readonly reason: ("none" | "not_found" | "no_effect") | null;
            readonly message: string | null;
        };
        /** @description Who asked for it. Null of what was asked for before that was kept. */
        readonly CreatedBy: {
            /** @enum {string} */
            readonly type: "user" | "api_key" | "sftp_user" | "system" | "operator";
            readonly id: string | null;
            readonly label: string | null;
        };
        readonly DefinitionRequest: {
            /** @description YAML, or a query: PREDICT exists(order) WITHIN 30d FOR customer. There is an example of each kind. */
            readonly definition: string;
        };
        readonly Deviation: {
            readonly kind: string;
            readonly rule: string;
            readonly column: string | null;
            readonly count: number;
            readonly message: string;
            /** @description What the message names, by the rule: to say it in other words. */
            readonly values?: {
                readonly [key: string]: string | number | boolean | readonly string[];
            };
            readonly samples: readonly {
                readonly row: number;
                readonly value: string | null;
            }[];
            /** @description The rows concerned, from 1, up to 2,000 of a file: all of them where they are as many as count says. Absent where columns deviate. */
            readonly rows?: readonly number[];
        };
        readonly Domain: {
            readonly id: string;
            readonly domain: string;
            /** @description Where the DNS must have a TXT record to prove the domain. */
            readonly record_name: string;
            /** @description What the record must say. */
            readonly record_value: string;
            readonly created_at: string;
            readonly verified_at: string | null;
        };
        readonly DomainPage: {
            readonly data: readonly components["schemas"]["Domain"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly DomainRequest: {
            readonly domain: string;
        };
        readonly EmailChange: {
            readonly email: string;
        };
        readonly EmailVerification: {
            readonly token: string;
        };
        readonly Embedding: {
            readonly key: string | number;
            /** @description Null where the entity was not known by then. */
            readonly vector: readonly number[] | string | null;
            /** @description Vectors of one snapshot can be compared, and no others. */
            readonly model_snapshot: string;
            readonly generated_at: string;
            readonly dimension: number;
            /** @enum {string} */
            readonly data_coverage: "full" | "none";
        };
        readonly EmbeddingMap: {
            readonly source: string;
            readonly entity?: string;
            readonly rfm_version_id?: string;
            readonly gfm_version_id?: string;
            /** @description Of the graph: of those that were found. */
            readonly kind?: string;
            readonly as_of: string;
            /** @description Vectors of one snapshot can be compared, and no others. */
            readonly model_snapshot: string;
            readonly generated_at: string;
            /** @description How many were known by then; the sample is of these. */
            readonly entities: number;
            /** @description The share of the spread of the vectors that x shows, and y. */
            readonly explained: readonly number[];
            readonly data: readonly components["schemas"]["EmbeddingPoint"][];
        };
        readonly EmbeddingPoint: {
            /** @description Null where it says who a person is. */
            readonly key: string | number | null;
            readonly x: number;
            readonly y: number;
        };
        readonly Embeddings: {
            readonly source: string;
            readonly entity?: string;
            readonly rfm_version_id?: string;
            readonly gfm_version_id?: string;
            /** @description Of the graph: of those that were found. */
            readonly kind?: string;
            readonly as_of: string;
            readonly data: readonly components["schemas"]["Embedding"][];
        };
        readonly EmbeddingsRequest: {
            /** @description rfm, the default: the workspace's own relational model, by the keys of a table. gfm: the graph model, by the identifiers of its graph. */
            readonly source?: "rfm" | "gfm";
            /** @description Of the graph: which kind the identifiers are of, and those that are found. */
            readonly kind?: "company" | "individual" | "asset";
            /** @description The table of the entities; not needed where one table alone has an encoder. */
            readonly entity?: string;
            /** @description Another version than the newest of the table. */
            readonly rfm_version_id?: string;
            /** @description As of the end of this day; of now by default. */
            readonly reference_date?: string;
            readonly keys: readonly (string | number)[];
            /** @description base64: float32, little-endian. */
            readonly encoding?: "float" | "base64";
        };
        readonly EndedSessions: {
            readonly ended: number;
        };
        readonly Entities: {
            readonly snapshot_id: string | null;
            readonly as_of: string;
            readonly data: readonly components["schemas"]["FoundEntity"][];
            /** @description Whether more begin like this: send more of the key. */
            readonly has_more: boolean;
            /** @description Whether all rows were looked at that had to be. */
            readonly is_complete: boolean;
        };
        readonly Entity: {
            readonly snapshot_id: string;
            readonly as_of: string;
            readonly table: string;
            readonly key: string;
            readonly entity_kind: string | null;
            readonly since: string | null;
            readonly first: string | null;
            readonly last: string | null;
            readonly tables: readonly components["schemas"]["ReferringRows"][];
            /** @description What its own row refers to, as was known by then. */
            readonly references: readonly components["schemas"]["EntityReference"][];
        };
        readonly EntityReference: {
            /** @description The column of its row that refers to another entity. */
            readonly reference: string;
            /** @description Of the other. */
            readonly table: string;
            /** @description Of its table: the same in every answer from the data of snapshot_id. */
            readonly row: number;
            readonly key: string | null;
        };
        readonly Erasure: {
            readonly id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "succeeded" | "failed" | "interrupted";
            /** @description What went: dictionary entries, answered predictions, uploaded files that named it, results of batches and evaluations. Files with labels of tasks stay, without the rows that named it; older snapshots that kept the name as text lose their rows. */
            readonly erased: {
                readonly identifiers?: number;
                readonly predictions?: number;
                readonly files?: readonly string[];
                readonly label_files?: readonly string[];
                readonly snapshots?: readonly string[];
                readonly batches?: readonly string[];
                readonly evaluations?: readonly string[];
            };
            readonly failure: components["schemas"]["JobFailure"] | null;
            readonly created_at: string;
            readonly finished_at: string | null;
        };
        readonly ErasurePage: {
            readonly data: readonly components["schemas"]["Erasure"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly ErasureRequest: {
            /** @description As your files spell it. */
            readonly identifier: string;
        };
        /**
         * @description Why a request was refused. Closed: switch on it.
         * @enum {string}
         */
        readonly ErrorCode: "malformed" | "malformed_json" | "invalid_parameter" | "unsupported_media_type" | "schema_mismatch" | "invalid" | "unknown_input" | "missing_input" | "invalid_input" | "not_changeable" | "reference_date_in_future" | "invalid_contract" | "invalid_task" | "weak_password" | "personal_address" | "code_invalid" | "passkey_invalid" | "token_invalid" | "outbound_refused" | "outbound_failed" | "idempotency_key_reused" | "scope_required" | "invalid_cursor" | "digest_mismatch" | "content_type_mismatch" | "unauthenticated" | "sign_in_failed" | "sso_refused" | "forbidden" | "permission_denied" | "wrong_scope" | "address_not_allowed" | "organization_suspended" | "session_required" | "reauthentication_required" | "second_factor_required" | "feature_disabled" | "sso_required" | "cross_origin" | "wrong_address" | "signature_invalid" | "signature_expired" | "not_found" | "route_not_found" | "method_not_allowed" | "timeout" | "conflict" | "file_not_uploaded" | "file_already_uploaded" | "offset_mismatch" | "file_deleted" | "in_use" | "model_training" | "version_inactive" | "gates_failed" | "version_aliased" | "no_contract" | "data_behind_contract" | "no_encoder" | "no_data" | "name_taken" | "batch_not_finished" | "batch_without_result" | "already_finished" | "last_creator" | "break_glass_required" | "domain_taken" | "domain_not_proved" | "would_lock_out" | "already_invited" | "sign_in_first" | "workspace_archived" | "webhook_disabled" | "gone" | "endpoint_sunset" | "result_deleted" | "payload_expired" | "entity_erased" | "pin_gone" | "precondition_failed" | "range_not_satisfiable" | "rate_limited" | "quota_exceeded" | "headers_too_large" | "too_many_entities" | "body_too_large" | "limit_exceeded" | "budget_exceeded" | "unavailable" | "insufficient_storage" | "object_damaged" | "internal";
        readonly EvaluatedModel: {
            readonly model_id: string;
            readonly alias: string | null;
            readonly version_id: string;
            /** @description Of the version; absent of older evaluations. */
            readonly number?: number;
        };
        readonly EvaluatedOutput: {
            readonly name: string;
            /** @enum {string} */
            readonly kind: "binary" | "regression" | "multiclass";
            /** @enum {string} */
            readonly metric: "auroc" | "average_precision" | "kolmogorov_smirnov" | "log_loss" | "brier" | "accuracy" | "f1" | "mae" | "rmse" | "r2" | "multiclass_accuracy" | "multiclass_macro_f1" | "multiclass_log_loss";
            /** @enum {string} */
            readonly labelled_by: "file" | "tables";
            readonly unlabelled: number;
            /** @description Left out, as the window of their label had not closed. */
            readonly open: number;
            readonly all: components["schemas"]["EvaluatedRows"] | null;
            readonly later: components["schemas"]["EvaluatedRows"] | null;
        };
        readonly EvaluatedRows: {
            /**
             * @description What intervals draw with replacement.
             * @enum {string}
             */
            readonly drawn: "moments" | "entities";
            readonly model: components["schemas"]["EvaluationMeasures"];
            readonly naive: components["schemas"]["NaiveMetric"] | null;
            readonly segments: readonly components["schemas"]["EvaluationSegment"][];
            readonly compare_with: components["schemas"]["EvaluationMeasures"] | null;
            readonly comparison: components["schemas"]["EvaluationComparison"] | null;
        };
        readonly Evaluation: {
            readonly id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "succeeded" | "failed" | "interrupted";
            readonly file_id: string;
            readonly path: string;
            readonly model: components["schemas"]["EvaluatedModel"];
            readonly compare_with: components["schemas"]["EvaluatedModel"] | null;
            readonly segments: readonly string[];
            /** @description The columns of the file that are called otherwise, by the name by which they are read. */
            readonly column_mapping: {
                readonly [key: string]: string;
            };
            readonly snapshot_id: string;
            readonly reference_date: string | null;
            /** @description Nothing later is read. */
            readonly as_of: string;
            readonly phase: string | null;
            readonly fraction: number;
            readonly result: components["schemas"]["EvaluationResult"] | null;
            readonly failure: components["schemas"]["JobFailure"] | null;
            readonly created_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
        };
        readonly EvaluationBounds: {
            /** @enum {string} */
            readonly kind: "rate";
            readonly rows: number;
            /** @description Mean lower bound. */
            readonly lower: number;
            /** @description Mean upper bound. */
            readonly upper: number;
            /** @description The observed rate, which should lie between them. */
            readonly observed: number;
        };
        readonly EvaluationCalibration: {
            readonly rows: number;
            readonly bins: number;
            /** @enum {string} */
            readonly binning: "equal_count";
            readonly expected_calibration_error: number;
            readonly of_perfect: components["schemas"]["EvaluationOfPerfect"];
            readonly slope: number | null;
            readonly slope_standard_error: number | null;
            readonly intercept: number | null;
            readonly intercept_standard_error: number | null;
            readonly spiegelhalter_z: number | null;
        };
        readonly EvaluationClass: {
            readonly name: string;
            readonly rows: number;
            readonly mean_predicted: number;
        };
        readonly EvaluationComparison: {
            readonly gains: components["schemas"]["EvaluationPairedGains"];
            /**
             * @description By the output's metric; cannot_tell where the interval of its gain holds 0, or where what looks better may have learned from more of these rows.
             * @enum {string}
             */
            readonly better: "model" | "compare_with" | "cannot_tell";
            readonly reason?: string | null;
            readonly rank_correlation: number | null;
            readonly mean_change: number | null;
            readonly decile_changed: number | null;
            readonly band_changed: number | null;
            readonly class_changed: number | null;
        };
        readonly EvaluationCoverage: {
            /** @enum {string} */
            readonly kind: "conformal";
            readonly rows: number;
            /** @description Share of labels within the bounds of their predictions. */
            readonly observed: number;
            /** @description What the bounds promise. */
            readonly expected: number;
            readonly standard_error: number;
            readonly mean_width: number;
        };
        readonly EvaluationEstimate: {
            readonly value: number | null;
            readonly low: number | null;
            readonly high: number | null;
        };
        readonly EvaluationGains: {
            readonly rows: number;
            readonly positives: number;
            /** @description The lowest prediction in this tenth. */
            readonly from: number;
            readonly observed: number;
            readonly lift: number | null;
            /** @description Of all rows, those down to here. */
            readonly share: number;
            readonly captured: number | null;
            readonly cumulative_lift: number | null;
        };
        /** @description Rows up to the newest label that was learned from: they flatter. */
        readonly EvaluationLearned: {
            readonly newest_label: string;
            readonly rows: number;
            readonly matched?: number | null;
            readonly of: number;
        };
        readonly EvaluationMeasures: {
            readonly rows: number;
            readonly positives: number | null;
            readonly mean_predicted: number | null;
            readonly mean_observed: number | null;
            readonly metrics: components["schemas"]["EvaluationMetrics"];
            readonly reliability: readonly components["schemas"]["EvaluationReliability"][] | null;
            readonly gains: readonly components["schemas"]["EvaluationGains"][] | null;
            readonly calibration: components["schemas"]["EvaluationCalibration"] | null;
            readonly sureness: (components["schemas"]["EvaluationCoverage"] | components["schemas"]["EvaluationBounds"]) | null;
            readonly classes: readonly components["schemas"]["EvaluationClass"][] | null;
        };
        readonly EvaluationMetrics: {
            readonly auroc?: components["schemas"]["EvaluationEstimate"];
            readonly average_precision?: components["schemas"]["EvaluationEstimate"];
            readonly kolmogorov_smirnov?: components["schemas"]["EvaluationEstimate"];
            readonly log_loss?: components["schemas"]["EvaluationEstimate"];
            readonly brier?: components["schemas"]["EvaluationEstimate"];
            readonly accuracy?: components["schemas"]["EvaluationEstimate"];
            readonly f1?: components["schemas"]["EvaluationEstimate"];
            readonly mae?: components["schemas"]["EvaluationEstimate"];
            readonly rmse?: components["schemas"]["EvaluationEstimate"];
            readonly r2?: components["schemas"]["EvaluationEstimate"];
            readonly multiclass_accuracy?: components["schemas"]["EvaluationEstimate"];
            readonly multiclass_macro_f1?: components["schemas"]["EvaluationEstimate"];
            readonly multiclass_log_loss?: components["schemas"]["EvaluationEstimate"];
        };
        readonly EvaluationOfPerfect: {
            readonly mean: number;
            readonly high: number;
        };
        /** @description Values beyond the 50 largest, and those of so few rows that they could tell of one. */
        readonly EvaluationOtherValues: {
            readonly values: number;
            readonly rows: number;
        };
        readonly EvaluationPage: {
            readonly data: readonly components["schemas"]["Evaluation"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        /** @description By how much `model` is better than `compare_with` on the same rows, whichever way the metric points. */
        readonly EvaluationPairedGains: {
            readonly auroc?: components["schemas"]["EvaluationEstimate"];
            readonly average_precision?: components["schemas"]["EvaluationEstimate"];
            readonly kolmogorov_smirnov?: components["schemas"]["EvaluationEstimate"];
            readonly log_loss?: components["schemas"]["EvaluationEstimate"];
            readonly brier?: components["schemas"]["EvaluationEstimate"];
            readonly accuracy?: components["schemas"]["EvaluationEstimate"];
            readonly f1?: components["schemas"]["EvaluationEstimate"];
            readonly mae?: components["schemas"]["EvaluationEstimate"];
            readonly rmse?: components["schemas"]["EvaluationEstimate"];
            readonly r2?: components["schemas"]["EvaluationEstimate"];
            readonly multiclass_accuracy?: components["schemas"]["EvaluationEstimate"];
            readonly multiclass_macro_f1?: components["schemas"]["EvaluationEstimate"];
            readonly multiclass_log_loss?: components["schemas"]["EvaluationEstimate"];
        };
        readonly EvaluationReliability: {
            readonly rows: number;
            readonly from: number;
            readonly to: number;
            readonly mean_predicted: number;
            readonly observed: number;
            readonly observed_low: number;
            readonly observed_high: number;
        };
        readonly EvaluationRequest: {
            /** @description The labelled file: CSV, Parquet or JSONL. */
            readonly file: string | components["schemas"]["FileByPath"];
            /** @description Whom to evaluate: "<model>/<alias, version number or id>", its parts, or the id of the training run that made it. It need not be active. */
            readonly model: string | components["schemas"]["TargetByParts"];
            /** @description Another one that answers the same question, measured on the same rows. */
            readonly compare_with?: string | components["schemas"]["TargetByParts"];
            /** @description Columns of the file, or of the entity's table as known at each row's moment, whose values are told apart. */
            readonly segments?: readonly string[];
            /** @description The columns of the file that are called otherwise than they are read, by the name by which they are: {"date": "DATA_REF"}. The names are those of GET /v1/api/models/{model_id}/versions/{version_id}/labelled-file. A file without a column named here fails. */
            readonly column_mapping?: {
                readonly [key: string]: string;
            };
            /** @description Read nothing after the end of this day. */
            readonly reference_date?: string;
        };
        readonly EvaluationResult: {
            readonly rows: components["schemas"]["EvaluationRows"];
            /** @description The first rows that could not be read, without their values. */
            readonly errors: readonly components["schemas"]["EvaluationRowError"][];
            readonly learned: components["schemas"]["EvaluationLearned"] | null;
            readonly outputs: readonly components["schemas"]["EvaluatedOutput"][];
            readonly warnings: readonly string[];
            /** @description What the first of warnings say, in their order: the code of each, and what it names. */
            readonly warning_codes?: readonly components["schemas"]["Because"][];
        };
        readonly EvaluationRowError: {
            readonly row: number;
            readonly column: string | null;
            readonly message: string;
            readonly because?: components["schemas"]["Because"];
        };
        readonly EvaluationRows: {
            readonly read: number;
            /** @description Could not be read, and are in no other number. */
            readonly unreadable: number;
            /** @description Their key is not in the tables. */
            readonly unknown: number;
        };
        readonly EvaluationSegment: {
            readonly column: string;
            /** @enum {string} */
            readonly of: "file" | "table";
            readonly values: readonly components["schemas"]["EvaluationSegmentValue"][];
            readonly others: components["schemas"]["EvaluationOtherValues"] | null;
        };
        readonly EvaluationSegmentValue: {
            readonly value: string | null;
            readonly rows: number;
            readonly positives: number | null;
            readonly metric: components["schemas"]["EvaluationEstimate"];
            readonly mean_predicted: number | null;
            readonly mean_observed: number | null;
            /** @description Fewer than 100 rows, or than ten of either label. */
            readonly is_small: boolean;
        };
        readonly Event: {
            readonly id: string;
            /** @enum {string} */
            readonly type: "batch-input-upload-request" | "batch-input-deletion" | "batch-request" | "batch-interrupt-request" | "batch-lifecycle" | "batch-result-download" | "batch-result-deletion" | "data-contract-version" | "data-contract-deviation" | "ingestion-lifecycle" | "erasure-lifecycle" | "object-damage" | "task-deletion" | "training-run-lifecycle" | "training-run-failure" | "evaluation-lifecycle" | "validation-lifecycle" | "model-version-validation" | "model-version-approval" | "model-gates-update" | "model-gates-override" | "backtest-lifecycle" | "backtest-deletion" | "model-deletion" | "model-version-creation" | "model-version-activation" | "model-version-deactivation" | "model-version-promotion" | "model-version-demotion" | "alias-split-update" | "alias-split-end" | "model-version-rollback" | "model-drift" | "model-performance" | "shadow-update" | "shadow-end" | "gfm-version-release" | "rfm-version-creation" | "replay-lifecycle" | "replay-difference" | "watch-list-move" | "embedding-request" | "workspace-creation" | "workspace-update" | "workspace-archival" | "workspace-unarchival" | "api-key-creation" | "api-key-deletion" | "api-key-recycling" | "api-key-renaming" | "sftp-user-creation" | "sftp-user-deletion" | "sftp-file-receipt" | "sftp-file-refusal" | "webhook-creation" | "webhook-update" | "webhook-deletion" | "webhook-secret-rotation" | "webhook-disablement" | "webhook-delivery-exhaustion" | "usage-limit-warning" | "usage-limit-reached" | "invoice-issuance" | "organization-creation" | "organization-update" | "organization-suspension" | "organization-resumption" | "organization-feature-update" | "price-plan-update" | "quota-update" | "ip-rule-creation" | "ip-rule-deletion" | "member-addition" | "member-role-update" | "member-removal" | "invitation-creation" | "invitation-resending" | "invitation-revocation" | "invitation-acceptance" | "user-creation" | "user-update" | "user-deletion" | "login" | "login-failure" | "device-addition" | "sso-authentication" | "break-glass-sign-in" | "sign-in-link-creation" | "session-revocation" | "second-factor-update" | "passkey-creation" | "passkey-renaming" | "passkey-deletion" | "password-update" | "domain-creation" | "domain-verification" | "domain-deletion" | "sso-connection-creation" | "sso-connection-update" | "sso-connection-activation" | "sso-connection-deactivation" | "sso-connection-deletion" | "break-glass-admin-addition" | "break-glass-admin-removal";
            readonly resource_type: string;
            readonly resource_id: string;
            /** @description Counts the events of the resource from 1, without gaps. */
            readonly sequence: number;
            /** @description When it happened; it can be read a moment after. */
            readonly created_at: string;
            /** @description By type: the status, for instance. */
            readonly data: {
                readonly [key: string]: unknown;
            };
        };
        readonly EventPage: {
            readonly data: readonly components["schemas"]["Event"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly EventType: {
            readonly name: string;
            /** @description What it is about. */
            readonly group: string;
            readonly description: string;
            /** @description The release that brought it. */
            readonly since: string;
            /** @enum {string} */
            readonly audit_class: "admin" | "data" | "auth" | "system";
            /** @description Whether webhooks can subscribe to it. */
            readonly webhook: boolean;
            /** @description Who is told whatever they have chosen: the person whose account or key it is, or all who may read it. */
            readonly mandatory: ("person" | "readers") | null;
            /** @description Whether people are told who have chosen nothing. */
            readonly notified_by_default: boolean;
            /** @description The roles that may read it. */
            readonly readable_by: readonly ("creator" | "developer" | "analyst" | "billing_manager" | "auditor" | "member")[];
            /** @description JSON Schema of `data`, which has the `id` of the resource, too. Fields are added, never taken away. */
            readonly payload: {
                readonly [key: string]: unknown;
            };
        };
        readonly EventTypes: {
            readonly data: readonly components["schemas"]["EventType"][];
        };
        readonly Explained: {
            /** @description The field of the answer that effects are about. */
            readonly field: string;
            readonly unit: string | null;
            /** @description Its number before rounding. */
            readonly answer: number;
            /** @description Its number for the model's average margin. */
            readonly usual: number;
            /** @description Effect of all that is not listed: usual + effects + others = answer. */
            readonly others: number;
        };
        readonly ExplainedFactor: {
            /** @description What it is about, the same in all versions. */
            readonly code: string;
            readonly group: string;
            /** @description To the margin of the model: log-odds of a probability; of numbers in their own unit or its logarithm. */
            readonly contribution: number;
            /** @description On the number in `explained`, in `effect_unit`; above zero it makes it larger. */
            readonly effect: number;
            readonly effect_unit: string | null;
            readonly value: number | null;
            readonly usual: number | null;
            /** @description Which rows were read, and what of them. */
            readonly path: unknown;
            /** @description As in key_factors or risk_factors. */
            readonly text: string;
        };
        readonly FieldItems: {
            /** @enum {string} */
            readonly type: "string" | "object";
        };
        readonly FieldSource: {
            readonly table: string;
            readonly column: string;
        };
        readonly File: {
            readonly id: string;
            readonly upload_id: string;
            readonly path: string;
            readonly content_type: string;
            /** @description Base64, as declared. */
            readonly md5: string;
            /** @enum {string} */
            readonly status: "awaiting_upload" | "uploaded" | "deleted";
            readonly bytes: number | null;
            /** @description Hex, of what arrived. */
            readonly sha256: string | null;
            readonly created_at: string;
            readonly uploaded_at: string | null;
            /** @description Of the upload address, while it waits. */
            readonly expires_at: string | null;
        };
        readonly FileByPath: {
            /** @description Means its newest uploaded file. */
            readonly path: string;
        };
        readonly FileDeviations: {
            readonly file_id: string;
            readonly path: string;
            readonly table: string;
            readonly rows: number;
            readonly deviations: readonly components["schemas"]["Deviation"][];
        };
        readonly FileIngestion: {
            readonly id: string;
            readonly table: string;
            readonly mode: string;
            readonly created_at: string;
            readonly snapshot_id: string | null;
            readonly rows: number | null;
        };
        readonly FileLineage: {
            readonly file_id: string;
            readonly path: string;
            /** @description Those that took it in, newest first; 100 at most. */
            readonly ingestions: readonly components["schemas"]["FileIngestion"][];
            readonly snapshots: components["schemas"]["FileSnapshots"];
            /** @description Tasks whose labels it has; 100 at most. */
            readonly tasks: readonly components["schemas"]["FileTask"][];
            readonly predictions: components["schemas"]["ReaderCount"];
            readonly batches: components["schemas"]["ReaderCount"];
            readonly scored_in: components["schemas"]["ReaderCount"];
            readonly evaluated_in: components["schemas"]["ReaderCount"];
            /** @description Versions that learned from it. */
            readonly data: readonly components["schemas"]["FileVersion"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly FilePage: {
            readonly data: readonly components["schemas"]["File"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        /** @description Those that have rows of it. */
        readonly FileSnapshots: {
            readonly count: number;
            readonly first_id: string | null;
            readonly last_id: string | null;
            /** @description Whether what is served now has rows of it. */
            readonly is_current: boolean;
        };
        readonly FileTask: {
            readonly id: string;
            readonly name: string;
            /** @description train or validation. */
            readonly part: string;
        };
        readonly FileVersion: {
            readonly model_id: string;
            readonly model_name: string;
            readonly version_id: string;
            readonly number: number;
            readonly status: string;
            readonly snapshot_id: string;
            readonly read_as: readonly ("tables" | "labels")[];
            readonly created_at: string;
            readonly predictions: components["schemas"]["ReaderCount"];
        };
        readonly FoundEntity: {
            readonly table: string;
            readonly key: string;
        };
        /** @description Of a Creator: gives the alias, or a share of it, to a version that does not pass the gates of its model. */
        readonly GatesOverride: {
            /** @description Why it is done all the same; the trail keeps it. */
            readonly reason: string;
        };
        readonly GfmVersion: {
            readonly id: string;
            readonly name: string;
            /** @description Of every vector that it gives. */
            readonly model_snapshot: string;
            readonly generated_at: string;
            /** @description Whether it was learned from a made-up graph: it knows nobody who exists. */
            readonly is_synthetic: boolean;
            readonly released_at: string;
            /** @description Whether this workspace reads it. */
            readonly is_adopted: boolean;
        };
        readonly GfmVersionPage: {
            readonly data: readonly components["schemas"]["GfmVersion"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly GivenOutcome: {
            /** @description Of the answer. Or, without it, entity and as_of, with model or task. */
            readonly prediction_id?: string;
            /** @description Id or name of the model that was asked. */
            readonly model?: string;
            /** @description Id or name of a task: predictions of all models that answer it. */
            readonly task?: string;
            readonly entity?: components["schemas"]["OutcomeEntity"];
            /** @description The day, in the zone of the workspace, or the moment that the prediction is as of. It is the outcome of all predictions about the entity as of then. */
            readonly as_of?: string;
            /** @description The field of the answer that it is of; by default the deciding one: of horizons the longest. */
            readonly output?: string;
            /** @description 0 or 1 of a probability, a number, or the name of a class. */
            readonly value: number | boolean | string;
            /** @description When it was known: RFC 3339. Not before as_of. */
            readonly observed_at: string;
        };
        readonly Health: {
            readonly status: string;
        };
        readonly Inbox: {
            readonly data: readonly components["schemas"]["Notification"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            /** @description Set while no mail is sent to your address because a server refused it: take it off the list to try again. */
            readonly mail_suppression: components["schemas"]["MailSuppression"] | null;
        };
        readonly Ingestion: {
            readonly id: string;
            /**
             * @description refused: files deviate from the contract; nothing was taken in.
             * @enum {string}
             */
            readonly status: "queued" | "running" | "succeeded" | "refused" | "failed" | "interrupted";
            /**
             * @description delivery: files were sent. reread: the data are brought under a contract that was accepted, for which the listed files, taken in before, are read again.
             * @enum {string}
             */
            readonly kind: "delivery" | "reread";
            readonly files: readonly components["schemas"]["IngestionFile"][];
            readonly contract_id: string | null;
            /** @description Whether the contract that the files propose becomes the active one if they come in under it. */
            readonly accept_contract: boolean;
            readonly proposed_contract_id: string | null;
            readonly snapshot_id: string | null;
            readonly changed: boolean | null;
            readonly ingestions_before: number | null;
            readonly waits_for: ("turn" | "others" | "worker" | "process") | null;
            readonly start_eta: string | null;
            readonly progress: unknown | null;
            readonly report: unknown | null;
            readonly failure: components["schemas"]["JobFailure"] | null;
            readonly message: string | null;
            readonly metadata: unknown;
            readonly created_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
        };
        readonly IngestionDeviations: {
            readonly id: string;
            readonly status: string;
            readonly classification: ("new_contract_version" | "data_error") | null;
            readonly proposed_contract_id: string | null;
            readonly files: readonly components["schemas"]["FileDeviations"][];
        };
        readonly IngestionFile: {
            readonly file_id: string;
            readonly table: string;
            readonly mode: string;
        };
        readonly IngestionPage: {
            readonly data: readonly components["schemas"]["Ingestion"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly IngestionParts: {
            /**
             * @description Of all files; append by default. A part mode.<table> says it of the files of one table.
             * @enum {string}
             */
            readonly mode?: "append" | "upsert" | "replace";
            readonly accept_contract?: boolean;
            /** @description An object as JSON. */
            readonly metadata?: string;
        } & {
            readonly [key: string]: string;
        };
        readonly IngestionRequest: {
            readonly files: readonly {
                readonly file_id: string;
                /** @description Of the contract, or a new one: letters, digits, _, and between them blanks, . and -. */
                readonly table: string;
                /**
                 * @default append
                 * @enum {string}
                 */
                readonly mode?: "append" | "upsert" | "replace";
            }[];
            /** @description Where the files ask for a contract, or for another version of it: whether that becomes the active one at once, if they come in under it. It is listed with the reason of each guess or change, and proposed_contract_id names it. */
            readonly accept_contract?: boolean;
            /** @description Yours; given back as is. */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
        };
        readonly InputChange: {
            /** @description The input. */
            readonly name: string;
            /**
             * @description removed: it is taken no longer; required: it must be given now; type: not all of its values are taken any more; range: neither are all of its numbers, or days ahead.
             * @enum {string}
             */
            readonly change: "removed" | "required" | "type" | "range";
            readonly message: string;
        };
        readonly Interval: {
            readonly lower: number;
            readonly upper: number;
        };
        readonly Invitation: {
            readonly id: string;
            readonly status: "pending" | "accepted" | "revoked" | "expired";
            readonly email: string;
            readonly role: string;
            readonly workspace_id: string | null;
            readonly invited_by: string | null;
            readonly created_at: string;
            readonly sent_at: string;
            readonly times_sent: number;
            readonly expires_at: string;
        };
        readonly InvitationAcceptance: {
            readonly token: string;
        };
        readonly InvitationPage: {
            readonly data: readonly components["schemas"]["Invitation"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly InvitationRequest: {
            readonly email: string;
            readonly role: "creator" | "developer" | "analyst" | "billing_manager" | "auditor" | "member";
        };
        readonly Invoice: {
            readonly id: string;
            /** @description On the clocks of each workspace. */
            readonly month: string;
            /**
             * @description A draft is what the invoice would be now; one that is issued never changes.
             * @enum {string}
             */
            readonly status: "draft" | "issued";
            readonly number: string | null;
            readonly billed_to: string | null;
            readonly price_plan: components["schemas"]["InvoicePlan"];
            readonly currency: string;
            /** @description The sum of its lines. */
            readonly total_cents: number;
            readonly created_at: string;
            readonly issued_at: string | null;
        };
        readonly InvoiceLine: {
            readonly meter: ("predictions" | "batch_rows" | "embeddings" | "storage_megabyte_days" | "training_minutes" | "training_runs") | null;
            /** @description The first unit of the month that is in the tier. */
            readonly from_unit: number;
            readonly up_to: number | null;
            /** @description The units of the month in the tier. */
            readonly quantity: number;
            /** @description In the currency, for `per` units. */
            readonly price: string;
            readonly per: number;
            /** @description quantity × price ÷ per, half a centavo upwards. */
            readonly amount_cents: number;
        };
        readonly InvoicePage: {
            readonly data: readonly components["schemas"]["Invoice"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly InvoicePlan: {
            readonly name: string;
            readonly version: number;
        };
        readonly InvoiceWithLines: {
            readonly id: string;
            /** @description On the clocks of each workspace. */
            readonly month: string;
            /**
             * @description A draft is what the invoice would be now; one that is issued never changes.
             * @enum {string}
             */
            readonly status: "draft" | "issued";
            readonly number: string | null;
            readonly billed_to: string | null;
            readonly price_plan: components["schemas"]["InvoicePlan"];
            readonly currency: string;
            /** @description The sum of its lines. */
            readonly total_cents: number;
            readonly created_at: string;
            readonly issued_at: string | null;
            readonly lines: readonly components["schemas"]["InvoiceLine"][];
        };
        readonly IpRule: {
            readonly id: string;
            readonly workspace_id: string | null;
            readonly api_key_id: string | null;
            readonly applies_to: string;
            /** @description The network from which callers may come in. */
            readonly cidr: string;
            readonly note: string | null;
            readonly created_by: string | null;
            readonly created_at: string;
        };
        readonly IpRulePage: {
            readonly data: readonly components["schemas"]["IpRule"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly IpRuleRequest: {
            /** @description A network such as 203.0.113.0/24 or 2001:db8::/32, or one address. */
            readonly cidr: string;
            /** @description `dashboard`: people who are signed in. `api`: keys, and the addresses that were signed for them. */
            readonly applies_to?: "dashboard" | "api" | "both";
            readonly note?: string | null;
            /** @description true if you would not come in from your address any more, and mean it. */
            readonly confirm?: boolean;
            readonly api_key_id?: string | null;
        };
        readonly JobFailure: {
            readonly code: string;
            readonly detail: string;
            readonly because?: components["schemas"]["Because"];
        };
        readonly LabelMonth: {
            /** @description Of the moments that are asked about: 2025-11. */
            readonly month: string;
            readonly rows: number;
            /** @description Of labels that are yes or no, how often it came. */
            readonly mean: number;
        };
        readonly LabelledColumn: {
            readonly name: string;
            /**
             * @description time: the moment of which a row is predicted; known: since when its label is known; input: what a new row brings that the tables do not have.
             * @enum {string}
             */
            readonly role: "key" | "time" | "label" | "known" | "input";
            readonly output: string | null;
            /** @enum {string} */
            readonly type: "string" | "integer" | "number" | "boolean" | "date" | "timestamp" | "time" | "array";
            readonly format?: string;
            /** @description Labels that the task makes from the tables need no column. New rows bring their key or their inputs. */
            readonly required: boolean;
            /** @description Other names under which a file may have it. */
            readonly aliases?: readonly string[];
            /** @description A value as a file may write it; empty where none is known. */
            readonly sample: string;
        };
        readonly LabelledFile: {
            readonly model_id: string;
            readonly version_id: string;
            readonly newest_label: string | null;
            readonly columns: readonly components["schemas"]["LabelledColumn"][];
        };
        readonly LineageFactor: {
            readonly code: string;
            readonly text: string;
            readonly contribution: number;
            readonly effect: number;
            /** @description Of how many features it is the sum. */
            readonly features: number;
            /** @description From how many rows these were computed, those of several counted for each. */
            readonly rows: number;
        };
        readonly LineageFeature: {
            readonly code: string;
            /** @description In the language asked for, or that of the workspace. */
            readonly description: string;
            /** @description Which rows are read, and what of them. */
            readonly path: unknown;
            /** @description value of a row of its own, count, mean, share, … */
            readonly aggregate: string;
            readonly span: string | null;
            /** @description To the margin of the model. */
            readonly contribution: number;
            readonly value: number | null;
            /** @description The rows whose state is read: the one asked about, one reached from it, or several, of whom value is the mean. */
            readonly subjects: readonly components["schemas"]["LineageSubject"][];
            readonly whole: components["schemas"]["LineageWhole"] | null;
            readonly rows_count: number;
            /** @description Whether only the first 10000 rows are listed on the pages. */
            readonly is_truncated: boolean;
            /** @description Those on this page, the newest of each subject first. */
            readonly rows: readonly components["schemas"]["LineageRow"][];
        };
        /** @description The row in which the value stands, where this one leads to it. */
        readonly LineageHolder: {
            /** @description As the contract of the version names it; @labels: the outcomes it learned from. */
            readonly table: string;
            /**
             * @description data: a row that a file brought. request: the row that was asked about, as it was sent. labels: a known outcome. values: what stands for all rows with a text, or for two rows together.
             * @enum {string}
             */
            readonly kind: "data" | "request" | "labels" | "values";
            readonly key: string | null;
            readonly row: number | null;
            readonly date: string | null;
            /** @description Whether it names somebody who was erased: nothing else is told of it then. */
            readonly is_erased: boolean;
            readonly ingestion_id: string | null;
            readonly file_id: string | null;
            readonly path: string | null;
            readonly row_number: number | null;
        };
        readonly LineageRow: {
            /** @description As the contract of the version names it; @labels: the outcomes it learned from. */
            readonly table: string;
            /**
             * @description data: a row that a file brought. request: the row that was asked about, as it was sent. labels: a known outcome. values: what stands for all rows with a text, or for two rows together.
             * @enum {string}
             */
            readonly kind: "data" | "request" | "labels" | "values";
            readonly key: string | null;
            readonly row: number | null;
            readonly date: string | null;
            /** @description Whether it names somebody who was erased: nothing else is told of it then. */
            readonly is_erased: boolean;
            /**
             * @description read: what is aggregated. compared: what that is held against, as the year around a season. own: the own value of the row asked about, where it is held against others. leads: its reference leads to a row that is read.
             * @enum {string}
             */
            readonly role: "read" | "compared" | "own" | "leads";
            /** @description The place in subjects, from 0, of the row for which it is read. */
            readonly subject: number;
            readonly known_at: string | null;
            readonly column: string | null;
            /** @description Null where it only counts, and without the right to download files. */
            readonly value: string | number | boolean | null;
            readonly held_by: components["schemas"]["LineageHolder"] | null;
            readonly ingestion_id: string | null;
            readonly file_id: string | null;
            readonly path: string | null;
            readonly row_number: number | null;
        };
        readonly LineageSubject: {
            /** @description As the contract of the version names it; @labels: the outcomes it learned from. */
            readonly table: string;
            /**
             * @description data: a row that a file brought. request: the row that was asked about, as it was sent. labels: a known outcome. values: what stands for all rows with a text, or for two rows together.
             * @enum {string}
             */
            readonly kind: "data" | "request" | "labels" | "values";
            readonly key: string | null;
            readonly row: number | null;
            readonly date: string | null;
            /** @description Whether it names somebody who was erased: nothing else is told of it then. */
            readonly is_erased: boolean;
            /** @description Its share in the value; of two that are set against each other 1 and -1. */
            readonly weight: number;
            readonly value: number | null;
        };
        /** @description Rows that are read together and not listed one by one: those of everybody. */
        readonly LineageWhole: {
            readonly table: string;
            readonly rows: number;
            readonly from: string | null;
            readonly until: string | null;
            readonly mean: number | null;
        };
        readonly LinkSignInRequest: {
            readonly token: string;
        };
        readonly ListedShadow: {
            readonly model_id: string;
            readonly version_id: string;
            readonly alias: string;
            readonly share: number;
            readonly cutoff: (components["schemas"]["ByScore"] | components["schemas"]["ByProbability"] | components["schemas"]["ByValue"]) | null;
            /** @description Predictions of the alias that the version has answered too. */
            readonly answered: number;
            /** @description Those whose inputs it would refuse. */
            readonly refused: number;
            /** @description Predictions until then have been looked at. */
            readonly seen_until: string;
            readonly created_at: string;
        };
        readonly ListedShadowPage: {
            readonly data: readonly components["schemas"]["ListedShadow"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly MailSuppression: {
            readonly id: string;
            readonly email: string;
            /** @description What the mail server said. */
            readonly reason: string;
            readonly created_at: string;
        };
        readonly MailSuppressions: {
            readonly data: readonly {
                readonly id: string;
                readonly email: string;
                readonly reason: string;
                readonly created_at: string;
            }[];
        };
        readonly Member: {
            readonly user_id: string;
            readonly email: string;
            readonly name: string;
            readonly role: string;
            readonly workspace_id: string | null;
            readonly since: string;
        };
        readonly MemberPage: {
            readonly data: readonly components["schemas"]["Member"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly MetricsBin: {
            readonly from: number;
            readonly to: number;
            readonly rows: number;
        };
        readonly MetricsClass: {
            readonly name: string;
            readonly rows: number;
            /** @description Rows of which it was the most probable class. */
            readonly predicted: number;
            /** @description Those of them that are of it. */
            readonly correct: number;
        };
        readonly MetricsCutoff: {
            /** @description Rows with at least this score are accepted. */
            readonly score: number;
            /** @description Share of the rows that are accepted. */
            readonly approval_rate: number;
            readonly expected_default: number | null;
            readonly observed_default: number | null;
        };
        /** @description The first and the last day that rows were asked about. */
        readonly MetricsDays: {
            readonly from: string;
            readonly to: string;
        };
        /** @description What it learned from, of which the usual number of explanations is the average case. */
        readonly MetricsLearned: {
            readonly rows: number;
            readonly days: components["schemas"]["MetricsDays"];
        };
        readonly MetricsThreshold: {
            /** @description Rows with at least this probability are acted on. */
            readonly threshold: number;
            /** @description Share of the rows that are acted on. */
            readonly rate: number;
            /** @description Share of those acted on that are positive. */
            readonly precision: number;
            readonly recall: number | null;
            readonly false_positive_rate: number | null;
        };
        readonly Model: {
            readonly id: string;
            readonly name: string;
            readonly kind: string;
            readonly task_id: string;
            readonly aliases: readonly components["schemas"]["ModelAlias"][];
            readonly created_at: string;
        };
        readonly ModelAlarm: {
            readonly id: string;
            readonly model_id: string;
            readonly version_id: string;
            /**
             * @description contract: a contract, or files that have arrived, take away, rename or retype what a version that an alias leads to reads; or an input is no longer sent.
             * @enum {string}
             */
            readonly kind: "drift" | "performance" | "contract";
            /** @description What was beyond its threshold last. */
            readonly signals: readonly components["schemas"]["AlarmSignal"][];
            readonly raised_at: string;
            readonly cleared_at: string | null;
        };
        readonly ModelAlarmPage: {
            readonly data: readonly components["schemas"]["ModelAlarm"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly ModelAlias: {
            readonly alias: string;
            readonly version_id: string;
            readonly split?: components["schemas"]["SplitOf"];
        };
        readonly ModelFeature: {
            readonly code: string | null;
            /** @description Share of the model's gain; those of all features sum to 1. */
            readonly importance: number;
            /** @description Share of the training rows that have a value. */
            readonly coverage: number;
            readonly description: string | null;
            /** @description Of the description: the one asked for, or en of a version that was made when there was no other. */
            readonly language: "en" | "pt-BR";
            /** @description Whether it reads a protected or personal column. */
            readonly protected: boolean;
            /** @description The references from the row that is predicted for to the rows that are read, as table.column. */
            readonly path: readonly string[];
            readonly table: string | null;
            /** @description The columns whose values are read, as table.column. */
            readonly columns: readonly string[];
            readonly span: string | null;
            /** @description How values become one: value (the row's own), count, mean, share, … */
            readonly aggregate: string;
        };
        readonly ModelFeaturePage: {
            readonly data: readonly components["schemas"]["ModelFeature"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly ModelField: {
            readonly name: string;
            /**
             * @description Of the value in JSON. An array is a JSON text in the files of batches.
             * @enum {string}
             */
            readonly type: "string" | "integer" | "number" | "boolean" | "date" | "timestamp" | "time" | "array";
            readonly items?: components["schemas"]["FieldItems"];
            readonly required: boolean;
            /** @description Of a required input: null says that it is not known, and is taken. */
            readonly nullable?: boolean;
            /**
             * @description Of the column that dates a new row: it is required unless reference_date is given. past: its day must have come; any: it is planned, or names the row that has the date.
             * @enum {string}
             */
            readonly dates_row?: "past" | "any";
            readonly description: string;
            readonly format?: string;
            /** @description Of a timestamp: values with an offset (…Z, …-03:00) are read as what the clocks of this zone show then. Values without an offset are what they show. */
            readonly time_zone?: string;
            /**
             * @description Of a number: texts, in files and in JSON, write it as 1.234,56. A number of JSON is what it is.
             * @enum {string}
             */
            readonly decimal_separator?: ",";
            readonly unit?: string;
            readonly enum?: readonly string[];
            readonly minimum?: number;
            readonly maximum?: number;
            /** @description Says something of a person. */
            readonly pii: boolean;
            /** @description Share of the model's importance, 0 to 1. */
            readonly importance?: number;
            /** @description Other names under which a row may have it, by the contract that it was trained with. Those of the contract of the newest data are taken too. */
            readonly aliases?: readonly string[];
            readonly source?: components["schemas"]["FieldSource"];
        } & {
            readonly [key: string]: unknown;
        };
        readonly ModelGate: {
            /** @description In the unit of the check, as its measures says. */
            readonly threshold: number;
            /** @description Whether a version that fails the check is kept from aliases. */
            readonly required: boolean;
            /** @description Whether it is kept from them, too, where there is too little to tell. Asks for required. */
            readonly must_tell: boolean;
        };
        readonly ModelGateChecks: {
            readonly discrimination: components["schemas"]["ModelGate"];
            readonly log_loss: components["schemas"]["ModelGate"];
            readonly calibration_level: components["schemas"]["ModelGate"];
            readonly calibration_slope: components["schemas"]["ModelGate"];
            readonly score_meaning: components["schemas"]["ModelGate"];
            readonly distribution: components["schemas"]["ModelGate"];
            readonly rank_consistency: components["schemas"]["ModelGate"];
            readonly shadow_refusals: components["schemas"]["ModelGate"];
            readonly shadow_distribution: components["schemas"]["ModelGate"];
            readonly population: components["schemas"]["ModelGate"];
            readonly missing_inputs: components["schemas"]["ModelGate"];
            readonly hindsight: components["schemas"]["ModelGate"];
            readonly replay: components["schemas"]["ModelGate"];
            readonly plausibility: components["schemas"]["ModelGate"];
            readonly band_migration: components["schemas"]["ModelGate"];
            readonly stability: components["schemas"]["ModelGate"];
            readonly segments: components["schemas"]["ModelGate"];
            readonly latency: components["schemas"]["ModelGate"];
        };
        /** @description What is not named of a check is as it is by default. */
        readonly ModelGateChecksRequest: {
            readonly discrimination?: components["schemas"]["ModelGateRequest"];
            readonly log_loss?: components["schemas"]["ModelGateRequest"];
            readonly calibration_level?: components["schemas"]["ModelGateRequest"];
            readonly calibration_slope?: components["schemas"]["ModelGateRequest"];
            readonly score_meaning?: components["schemas"]["ModelGateRequest"];
            readonly distribution?: components["schemas"]["ModelGateRequest"];
            readonly rank_consistency?: components["schemas"]["ModelGateRequest"];
            readonly shadow_refusals?: components["schemas"]["ModelGateRequest"];
            readonly shadow_distribution?: components["schemas"]["ModelGateRequest"];
            readonly population?: components["schemas"]["ModelGateRequest"];
            readonly missing_inputs?: components["schemas"]["ModelGateRequest"];
            readonly hindsight?: components["schemas"]["ModelGateRequest"];
            readonly replay?: components["schemas"]["ModelGateRequest"];
            readonly plausibility?: components["schemas"]["ModelGateRequest"];
            readonly band_migration?: components["schemas"]["ModelGateRequest"];
            readonly stability?: components["schemas"]["ModelGateRequest"];
            readonly segments?: components["schemas"]["ModelGateRequest"];
            readonly latency?: components["schemas"]["ModelGateRequest"];
        };
        readonly ModelGateRequest: {
            readonly threshold?: number;
            readonly required?: boolean;
            readonly must_tell?: boolean;
        };
        readonly ModelGates: {
            readonly model_id: string;
            readonly checks: components["schemas"]["ModelGateChecks"];
            /** @description How many other people must have approved a version for the alias. */
            readonly approvals: number;
            /** @description Whether the alias of a training run moves by itself to a version that passes all gates. */
            readonly automatic: boolean;
            /** @description Columns of the entity's table that validations tell rows apart by, unless they name others. */
            readonly segments: readonly string[];
            /** @description Whether nobody has changed them. */
            readonly is_default: boolean;
            readonly updated_by: string | null;
            readonly updated_at: string | null;
        };
        readonly ModelGatesRequest: {
            readonly checks?: components["schemas"]["ModelGateChecksRequest"];
            /** @description 1: two people, of whom one approves. */
            readonly approvals?: number;
            readonly automatic?: boolean;
            /** @description None where this is absent, as by default. */
            readonly segments?: readonly string[];
        };
        readonly ModelMetrics: {
            readonly model_id: string;
            readonly version_id: string;
            readonly training_rows: number;
            readonly outputs: readonly components["schemas"]["OutputMetrics"][];
        };
        readonly ModelMonitoring: {
            readonly model_id: string;
            readonly version_id: string;
            /**
             * @description waiting: there are too few answers, or days of them, to hold others against.
             * @enum {string}
             */
            readonly status: "off" | "waiting" | "watching";
            /** @description Answers that were counted, on the days asked for. */
            readonly rows: number;
            readonly days: readonly components["schemas"]["MonitoredDay"][];
            readonly counted_until: string | null;
            readonly judged_at: string | null;
            /** @description The contract that the version was learned under. */
            readonly contract_number: number;
            readonly active_contract_number: number | null;
            /** @description Furthest beyond its threshold first. */
            readonly signals: readonly components["schemas"]["MonitoredSignal"][];
            readonly performance: readonly components["schemas"]["MonitoredPerformance"][];
            /** @description Those that are on. */
            readonly alarms: readonly components["schemas"]["ModelAlarm"][];
            readonly rollbacks: readonly components["schemas"]["ModelRollback"][];
        };
        readonly ModelPage: {
            readonly data: readonly components["schemas"]["Model"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly ModelRollback: {
            readonly alias: string;
            readonly from_version_id: string;
            readonly to_version_id: string;
            readonly signals: readonly unknown[];
            readonly created_at: string;
        };
        readonly ModelVersion: {
            readonly id: string;
            readonly version_id: string;
            readonly model_id: string;
            readonly number: number;
            /** @enum {string} */
            readonly status: "validating" | "active" | "inactive";
            readonly aliases: readonly string[];
            readonly training_run_id: string;
            /** @description The data that it was learned from. */
            readonly snapshot_id: string;
            /** @description When these data were taken in. */
            readonly snapshot_created_at: string;
            readonly ingestion_id: string | null;
            readonly data_until: string | null;
            readonly contract_id: string;
            /** @description The number of the contract that it was learned under. */
            readonly contract_number: number;
            readonly gfm_version_id: string | null;
            /** @description Whether an encoder was pre-trained for it first. */
            readonly pretrain: boolean;
            /** @description Whether the encoder that it reads was fine-tuned on its labels. */
            readonly feedback: boolean;
            readonly created_by: components["schemas"]["CreatedBy"] | null;
            readonly created_at: string;
            readonly inputs: readonly components["schemas"]["ModelField"][];
            readonly outputs: readonly components["schemas"]["ModelField"][];
            /** @description How good each output was on rows later than what was learned from. */
            readonly metrics: unknown;
            /** @description What a person should look at before trusting it. */
            readonly warnings: readonly components["schemas"]["ModelWarning"][];
        };
        readonly ModelVersionSummary: {
            readonly id: string;
            readonly version_id: string;
            readonly model_id: string;
            readonly number: number;
            /** @enum {string} */
            readonly status: "validating" | "active" | "inactive";
            readonly aliases: readonly string[];
            readonly training_run_id: string;
            /** @description The data that it was learned from. */
            readonly snapshot_id: string;
            /** @description When these data were taken in. */
            readonly snapshot_created_at: string;
            readonly ingestion_id: string | null;
            readonly data_until: string | null;
            readonly contract_id: string;
            /** @description The number of the contract that it was learned under. */
            readonly contract_number: number;
            readonly gfm_version_id: string | null;
            /** @description Whether an encoder was pre-trained for it first. */
            readonly pretrain: boolean;
            /** @description Whether the encoder that it reads was fine-tuned on its labels. */
            readonly feedback: boolean;
            readonly created_by: components["schemas"]["CreatedBy"] | null;
            readonly created_at: string;
        };
        readonly ModelVersionSummaryPage: {
            readonly data: readonly components["schemas"]["ModelVersionSummary"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly ModelWarning: {
            /** @description possible_leakage: a column may tell the label; implausibly_good: the whole model is too good to be true; no_better_than_naive: it is not surely better than what takes no learning; worse_than_naive: it is surely worse than that; poorly_calibrated: its probabilities were wrong by more than chance on later rows; calibration_unknown: too few later rows could tell whether they are right; data: something odd in what it was given; inputs_changed: the alias of the run was not moved, as callers of the version behind it would be refused; alias_held_back: it was not moved, as what the version is judged by is surely worse than what takes no learning; gates_failed: it was not moved, as the version does not pass the gates of the model. */
            readonly code: string;
            readonly message: string;
            /** @description The output it is of; absent where it is of all. */
            readonly output?: string;
            /** @description What an implausibly good model rests on, most important first. */
            readonly carriers?: readonly components["schemas"]["WarningCarrier"][];
            readonly because?: components["schemas"]["Because"];
            /** @description By which callers would be refused, where the alias was not moved. */
            readonly inputs?: readonly components["schemas"]["InputChange"][];
        };
        readonly Monitor: {
            readonly model_id: string;
            /** @description Whether its answers are watched. */
            readonly enabled: boolean;
            /** @description Whether an alias is moved back to the version before when its version fails for certain, within rollback_days of when it was moved. A version is rolled back once, and nothing is moved back to one that was. Splits by which it answers end. */
            readonly auto_rollback: boolean;
            readonly rollback_days: number;
            /** @description With fewer outcomes, nothing is said of how good answers are. */
            readonly outcomes_min: number;
            readonly reference_from: string | null;
        };
        readonly MonitorRequest: {
            /** @description Whether its answers are watched. */
            readonly enabled?: boolean;
            /** @description Whether an alias is moved back to the version before when its version fails for certain, within rollback_days of when it was moved. A version is rolled back once, and nothing is moved back to one that was. Splits by which it answers end. */
            readonly auto_rollback?: boolean;
            readonly rollback_days?: number;
            /** @description With fewer outcomes, nothing is said of how good answers are. */
            readonly outcomes_min?: number;
            readonly reference_from?: string | null;
        };
        readonly MonitoredBand: {
            readonly band: string | null;
            readonly from: number;
            readonly to: number;
            readonly rows: number;
            readonly expected: number;
            readonly observed: number;
            /** @description With observed_high, the 95 % interval of the rate (Wilson). */
            readonly observed_low: number;
            readonly observed_high: number;
        };
        readonly MonitoredDay: {
            readonly day: string;
            readonly rows: number;
        };
        readonly MonitoredFigure: {
            /** @enum {string} */
            readonly name: "calibration" | "discrimination" | "error";
            readonly value: number;
            readonly promised: number;
            /** @description By how many standard errors it is worse. */
            readonly z: number;
        };
        readonly MonitoredPerformance: {
            readonly output: string;
            readonly from: string;
            readonly until: string;
            readonly rows: number;
            /** @description Share of the predictions of that time that have an outcome. */
            readonly coverage: number;
            readonly expected: number;
            readonly observed: number;
            readonly bands: readonly components["schemas"]["MonitoredBand"][];
            readonly metrics: {
                readonly [key: string]: number;
            };
            readonly figures: readonly components["schemas"]["MonitoredFigure"][];
        };
        readonly MonitoredReading: {
            readonly day: string;
            readonly psi: number;
            readonly upper: number;
            readonly lower: number;
        };
        readonly MonitoredReference: {
            readonly from: string;
            readonly until: string;
            readonly rows: number;
            readonly shares: readonly number[];
        };
        readonly MonitoredSignal: {
            readonly name: string;
            /** @enum {string} */
            readonly kind: "score" | "input" | "feature" | "unknown";
            /** @enum {string} */
            readonly of: "values" | "missing";
            /** @description What each share is of, in words. */
            readonly bins: readonly string[];
            readonly window_days: number;
            readonly reference: components["schemas"]["MonitoredReference"];
            readonly current: components["schemas"]["MonitoredWindow"];
            readonly psi: number | null;
            readonly upper: number | null;
            readonly is_raised: boolean;
            readonly series: readonly components["schemas"]["MonitoredReading"][];
        };
        readonly MonitoredWindow: {
            readonly rows: number;
            readonly shares: readonly number[];
        };
        readonly MoveByDifference: {
            readonly difference: number;
        };
        readonly MoveByShare: {
            readonly share: number;
        };
        readonly MovedFrom: {
            readonly score: number;
            readonly band: string | null;
        };
        readonly MovedTo: {
            readonly score: number;
            readonly band: string | null;
        };
        /** @description By how much the model is better than the best of these on the same rows: above 0 is better. */
        readonly NaiveGain: {
            /** @enum {string} */
            readonly over: "constant" | "own_mean" | "own_last" | "referred_mean";
            readonly value: number | null;
            readonly low: number | null;
            readonly high: number | null;
        };
        /** @description The metric of what takes no learning, on the same rows. */
        readonly NaiveMetric: {
            readonly constant: number | null;
            readonly own_mean?: number | null;
            readonly own_last?: number | null;
            readonly referred_mean?: number | null;
            /** @description That reference. */
            readonly referred_by?: string;
            readonly gain?: components["schemas"]["NaiveGain"];
        };
        readonly Neighbor: {
            readonly key: string | number;
            /** @description Cosine, from -1 to 1. */
            readonly similarity: number;
        };
        readonly Neighbors: {
            readonly source: string;
            readonly entity?: string;
            readonly rfm_version_id?: string;
            readonly gfm_version_id?: string;
            /** @description Of the graph: of those that were found. */
            readonly kind?: string;
            readonly as_of: string;
            /** @description Vectors of one snapshot can be compared, and no others. */
            readonly model_snapshot: string;
            readonly generated_at: string;
            readonly data: readonly components["schemas"]["Neighbor"][];
        };
        readonly NeighborsRequest: {
            /** @description rfm, the default: the workspace's own relational model, by the keys of a table. gfm: the graph model, by the identifiers of its graph. */
            readonly source?: "rfm" | "gfm";
            /** @description Of the graph: which kind the identifiers are of, and those that are found. */
            readonly kind?: "company" | "individual" | "asset";
            /** @description The table of the entities; not needed where one table alone has an encoder. */
            readonly entity?: string;
            /** @description Another version than the newest of the table. */
            readonly rfm_version_id?: string;
            /** @description As of the end of this day; of now by default. */
            readonly reference_date?: string;
            readonly key?: string | number;
            /** @description Instead of a key. Of the graph: with its kind. */
            readonly vector?: readonly number[];
            readonly limit?: number;
        };
        readonly Network: {
            readonly snapshot_id: string;
            readonly as_of: string;
            /** @description The entity asked about leads; then the nearest. */
            readonly nodes: readonly components["schemas"]["NetworkNode"][];
            readonly edges: readonly components["schemas"]["NetworkEdge"][];
            readonly left_out: components["schemas"]["NetworkLeftOut"];
        };
        readonly NetworkEdge: {
            /** @description The id of a node. */
            readonly from: number;
            readonly to: number;
            /** @description The table whose rows both lead to. */
            readonly relation: string;
            /** @description How many of its rows both lead to. */
            readonly count: number;
            readonly since: string | null;
        };
        /** @description What is not told because there is too much of it. */
        readonly NetworkLeftOut: {
            /** @description Found, and not followed. */
            readonly nodes: number;
            readonly edges: number;
        };
        readonly NetworkNode: {
            /** @description In this answer. */
            readonly id: number;
            readonly table: string;
            /** @description Of its table: the same in every answer from the data of snapshot_id. */
            readonly row: number;
            readonly key: string | null;
            readonly hops: number;
        };
        readonly NetworkPath: {
            readonly snapshot_id: string;
            readonly as_of: string;
            readonly is_found: boolean;
            /** @description false: there were too many to look at, so that one may be there. */
            readonly is_complete: boolean;
            /** @description From the one to the other, in order. */
            readonly nodes: readonly components["schemas"]["NetworkPathNode"][];
            /** @description From each node to the next. */
            readonly edges: readonly components["schemas"]["NetworkEdge"][];
        };
        readonly NetworkPathNode: {
            /** @description In this answer. */
            readonly id: number;
            readonly table: string;
            /** @description Of its table: the same in every answer from the data of snapshot_id. */
            readonly row: number;
            readonly key: string | null;
        };
        readonly NewApiKey: {
            readonly id: string;
            readonly name: string;
            /** @description The beginning and the end of the secret. */
            readonly hint: string;
            /** @description Whose role the key acts with, as it is at each request. */
            readonly user_id: string;
            readonly scopes: readonly string[] | null;
            readonly created_at: string;
            readonly expires_at: string | null;
            readonly previous_until: string | null;
            readonly last_used_at: string | null;
            readonly last_used_ip: string | null;
            readonly last_used_agent: string | null;
            /** @description Shown here and never again. */
            readonly secret: string;
        };
        readonly NewPassword: {
            /** @description Every character counts, also a space at the end. */
            readonly password: string;
        };
        readonly NewSftpUser: {
            readonly id: string;
            readonly name: string;
            /** @description What a client signs in as. */
            readonly login: string;
            /** @description Whose role it acts with, as it is at each request. */
            readonly user_id: string;
            readonly password_hint: string | null;
            /** @description Keys that let it in, with their fingerprints as ssh-keygen -l says them. */
            readonly public_keys: readonly components["schemas"]["SftpPublicKey"][];
            /** @description Of the batches that are made of its files. */
            readonly priority: number;
            readonly created_at: string;
            readonly last_used_at: string | null;
            readonly last_used_ip: string | null;
            readonly password: string | null;
        };
        readonly NewWebhook: {
            readonly id: string;
            readonly url: string;
            readonly description: string | null;
            readonly events: readonly string[];
            readonly resource_ids: readonly string[] | null;
            /** @description Its own headers; their values are shown to nobody. */
            readonly header_names: readonly string[];
            readonly rate_limit: number | null;
            readonly status: "active" | "disabled";
            readonly disabled_reason: string | null;
            readonly disabled_at: string | null;
            /** @description By which requests are signed, the newest first. */
            readonly secrets: readonly components["schemas"]["WebhookSecret"][];
            readonly created_at: string;
            readonly updated_at: string;
            readonly secret: string | null;
        };
        readonly NewcomerAcceptance: {
            readonly token: string;
            readonly name: string;
            /** @description Every character counts, also a space at the end. */
            readonly password: string;
            readonly language?: "en" | "pt-BR";
        };
        readonly Notification: {
            readonly id: string;
            readonly workspace_id: string | null;
            readonly event_id: string;
            /** @enum {string} */
            readonly type: "batch-input-upload-request" | "batch-input-deletion" | "batch-request" | "batch-interrupt-request" | "batch-lifecycle" | "batch-result-download" | "batch-result-deletion" | "data-contract-version" | "data-contract-deviation" | "ingestion-lifecycle" | "erasure-lifecycle" | "object-damage" | "task-deletion" | "training-run-lifecycle" | "training-run-failure" | "evaluation-lifecycle" | "validation-lifecycle" | "model-version-validation" | "model-version-approval" | "model-gates-update" | "model-gates-override" | "backtest-lifecycle" | "backtest-deletion" | "model-deletion" | "model-version-creation" | "model-version-activation" | "model-version-deactivation" | "model-version-promotion" | "model-version-demotion" | "alias-split-update" | "alias-split-end" | "model-version-rollback" | "model-drift" | "model-performance" | "shadow-update" | "shadow-end" | "gfm-version-release" | "rfm-version-creation" | "replay-lifecycle" | "replay-difference" | "watch-list-move" | "embedding-request" | "workspace-creation" | "workspace-update" | "workspace-archival" | "workspace-unarchival" | "api-key-creation" | "api-key-deletion" | "api-key-recycling" | "api-key-renaming" | "sftp-user-creation" | "sftp-user-deletion" | "sftp-file-receipt" | "sftp-file-refusal" | "webhook-creation" | "webhook-update" | "webhook-deletion" | "webhook-secret-rotation" | "webhook-disablement" | "webhook-delivery-exhaustion" | "usage-limit-warning" | "usage-limit-reached" | "invoice-issuance" | "organization-creation" | "organization-update" | "organization-suspension" | "organization-resumption" | "organization-feature-update" | "price-plan-update" | "quota-update" | "ip-rule-creation" | "ip-rule-deletion" | "member-addition" | "member-role-update" | "member-removal" | "invitation-creation" | "invitation-resending" | "invitation-revocation" | "invitation-acceptance" | "user-creation" | "user-update" | "user-deletion" | "login" | "login-failure" | "device-addition" | "sso-authentication" | "break-glass-sign-in" | "sign-in-link-creation" | "session-revocation" | "second-factor-update" | "passkey-creation" | "passkey-renaming" | "passkey-deletion" | "password-update" | "domain-creation" | "domain-verification" | "domain-deletion" | "sso-connection-creation" | "sso-connection-update" | "sso-connection-activation" | "sso-connection-deactivation" | "sso-connection-deletion" | "break-glass-admin-addition" | "break-glass-admin-removal";
            /** @description One line, in your language. */
            readonly title: string;
            /** @description Plain lines, in your language. */
            readonly body: string;
            readonly said: {
                readonly en: components["schemas"]["SaidNotification"];
                readonly "pt-BR": components["schemas"]["SaidNotification"];
            } | null;
            readonly link: string | null;
            readonly created_at: string;
            readonly seen_at: string | null;
            readonly read_at: string | null;
            readonly archived_at: string | null;
        };
        readonly NotificationChange: {
            /** @enum {string} */
            readonly type: "batch-input-upload-request" | "batch-input-deletion" | "batch-request" | "batch-interrupt-request" | "batch-lifecycle" | "batch-result-download" | "batch-result-deletion" | "data-contract-version" | "data-contract-deviation" | "ingestion-lifecycle" | "erasure-lifecycle" | "object-damage" | "task-deletion" | "training-run-lifecycle" | "training-run-failure" | "evaluation-lifecycle" | "validation-lifecycle" | "model-version-validation" | "model-version-approval" | "model-gates-update" | "model-gates-override" | "backtest-lifecycle" | "backtest-deletion" | "model-deletion" | "model-version-creation" | "model-version-activation" | "model-version-deactivation" | "model-version-promotion" | "model-version-demotion" | "alias-split-update" | "alias-split-end" | "model-version-rollback" | "model-drift" | "model-performance" | "shadow-update" | "shadow-end" | "gfm-version-release" | "rfm-version-creation" | "replay-lifecycle" | "replay-difference" | "watch-list-move" | "embedding-request" | "workspace-creation" | "workspace-update" | "workspace-archival" | "workspace-unarchival" | "api-key-creation" | "api-key-deletion" | "api-key-recycling" | "api-key-renaming" | "sftp-user-creation" | "sftp-user-deletion" | "sftp-file-receipt" | "sftp-file-refusal" | "webhook-creation" | "webhook-update" | "webhook-deletion" | "webhook-secret-rotation" | "webhook-disablement" | "webhook-delivery-exhaustion" | "usage-limit-warning" | "usage-limit-reached" | "invoice-issuance" | "organization-creation" | "organization-update" | "organization-suspension" | "organization-resumption" | "organization-feature-update" | "price-plan-update" | "quota-update" | "ip-rule-creation" | "ip-rule-deletion" | "member-addition" | "member-role-update" | "member-removal" | "invitation-creation" | "invitation-resending" | "invitation-revocation" | "invitation-acceptance" | "user-creation" | "user-update" | "user-deletion" | "login" | "login-failure" | "device-addition" | "sso-authentication" | "break-glass-sign-in" | "sign-in-link-creation" | "session-revocation" | "second-factor-update" | "passkey-creation" | "passkey-renaming" | "passkey-deletion" | "password-update" | "domain-creation" | "domain-verification" | "domain-deletion" | "sso-connection-creation" | "sso-connection-update" | "sso-connection-activation" | "sso-connection-deactivation" | "sso-connection-deletion" | "break-glass-admin-addition" | "break-glass-admin-removal";
            readonly channels: ("none" | "email" | "in_app" | "both") | null;
        };
        readonly NotificationChoice: {
            readonly on: boolean;
            /**
             * @description Whose choice it is: mandatory (nobody may choose), user, default (of the workspace, or of the organization as a whole), or product.
             * @enum {string}
             */
            readonly source: "mandatory" | "user" | "default" | "product";
        };
        readonly NotificationCount: {
            readonly count: number;
            /** @description Whether there are more than 99. */
            readonly has_more: boolean;
        };
        readonly NotificationCounts: {
            readonly unseen: components["schemas"]["NotificationCount"];
            readonly unread: components["schemas"]["NotificationCount"];
            /** @description Set while no mail is sent to your address because a server refused it: take it off the list to try again. */
            readonly mail_suppression: components["schemas"]["MailSuppression"] | null;
        };
        readonly NotificationDefaults: {
            readonly preferences: readonly components["schemas"]["NotificationPreference"][];
        };
        readonly NotificationDefaultsChange: {
            /** @description Types that are not named stay as they are. */
            readonly preferences: readonly components["schemas"]["NotificationChange"][];
        };
        readonly NotificationPreference: {
            /** @enum {string} */
            readonly type: "batch-input-upload-request" | "batch-input-deletion" | "batch-request" | "batch-interrupt-request" | "batch-lifecycle" | "batch-result-download" | "batch-result-deletion" | "data-contract-version" | "data-contract-deviation" | "ingestion-lifecycle" | "erasure-lifecycle" | "object-damage" | "task-deletion" | "training-run-lifecycle" | "training-run-failure" | "evaluation-lifecycle" | "validation-lifecycle" | "model-version-validation" | "model-version-approval" | "model-gates-update" | "model-gates-override" | "backtest-lifecycle" | "backtest-deletion" | "model-deletion" | "model-version-creation" | "model-version-activation" | "model-version-deactivation" | "model-version-promotion" | "model-version-demotion" | "alias-split-update" | "alias-split-end" | "model-version-rollback" | "model-drift" | "model-performance" | "shadow-update" | "shadow-end" | "gfm-version-release" | "rfm-version-creation" | "replay-lifecycle" | "replay-difference" | "watch-list-move" | "embedding-request" | "workspace-creation" | "workspace-update" | "workspace-archival" | "workspace-unarchival" | "api-key-creation" | "api-key-deletion" | "api-key-recycling" | "api-key-renaming" | "sftp-user-creation" | "sftp-user-deletion" | "sftp-file-receipt" | "sftp-file-refusal" | "webhook-creation" | "webhook-update" | "webhook-deletion" | "webhook-secret-rotation" | "webhook-disablement" | "webhook-delivery-exhaustion" | "usage-limit-warning" | "usage-limit-reached" | "invoice-issuance" | "organization-creation" | "organization-update" | "organization-suspension" | "organization-resumption" | "organization-feature-update" | "price-plan-update" | "quota-update" | "ip-rule-creation" | "ip-rule-deletion" | "member-addition" | "member-role-update" | "member-removal" | "invitation-creation" | "invitation-resending" | "invitation-revocation" | "invitation-acceptance" | "user-creation" | "user-update" | "user-deletion" | "login" | "login-failure" | "device-addition" | "sso-authentication" | "break-glass-sign-in" | "sign-in-link-creation" | "session-revocation" | "second-factor-update" | "passkey-creation" | "passkey-renaming" | "passkey-deletion" | "password-update" | "domain-creation" | "domain-verification" | "domain-deletion" | "sso-connection-creation" | "sso-connection-update" | "sso-connection-activation" | "sso-connection-deactivation" | "sso-connection-deletion" | "break-glass-admin-addition" | "break-glass-admin-removal";
            readonly means: string;
            /** @description Whether you are told of it whatever anybody chooses, or at least of what concerns your own account or keys. */
            readonly is_mandatory: boolean;
            readonly email: components["schemas"]["NotificationChoice"];
            readonly in_app: components["schemas"]["NotificationChoice"];
        };
        readonly NotificationPreferences: {
            /**
             * @description How long mails gather: none sends each at once, 15m and 1h one for all of that time, daily one in the morning.
             * @enum {string}
             */
            readonly mail_window: "none" | "15m" | "1h" | "daily";
            readonly time_zone: string | null;
            readonly preferences: readonly components["schemas"]["NotificationPreference"][];
        };
        readonly NotificationPreferencesChange: {
            /**
             * @description How long mails gather: none sends each at once, 15m and 1h one for all of that time, daily one in the morning.
             * @enum {string}
             */
            readonly mail_window?: "none" | "15m" | "1h" | "daily";
            readonly time_zone?: string | null;
            /** @description Types that are not named stay as they are. */
            readonly preferences?: readonly components["schemas"]["NotificationChange"][];
        };
        readonly NotificationsMarked: {
            readonly marked: number;
        };
        readonly NotificationsRead: {
            /** @description The newest one that you know of. */
            readonly before: string;
        };
        readonly OidcConnectionRequest: {
            readonly name: string;
            /** @description What people become who sign in for the first time without an invitation: member by default. */
            readonly default_role?: "developer" | "analyst" | "billing_manager" | "auditor" | "member";
            readonly default_workspace_id?: string | null;
            /** @description As the provider spells it, such as https://login.company.com. */
            readonly issuer: string;
            readonly client_id: string;
            /** @description Kept sealed, and never shown again. */
            readonly client_secret: string;
        };
        readonly OneClick: {
            /** @enum {string} */
            readonly "List-Unsubscribe"?: "One-Click";
        };
        readonly Organization: {
            readonly id: string;
            readonly name: string;
            /** @description Whether members need a second factor. Where it is required, who has none reaches their own account alone, and their keys are refused. */
            readonly second_factor: "optional" | "required";
            /** @description Whether members must sign in through a connection to an identity provider. Where it is required, who signed in otherwise reaches their own account alone, but for break-glass admins; keys are not concerned. */
            readonly single_sign_on: "optional" | "required";
            readonly created_at: string;
        };
        readonly OrganizationChange: {
            readonly name?: string;
            /** @description Whether members need a second factor. Where it is required, who has none reaches their own account alone, and their keys are refused. */
            readonly second_factor?: "optional" | "required";
            /** @description Whether members must sign in through a connection to an identity provider. Where it is required, who signed in otherwise reaches their own account alone, but for break-glass admins; keys are not concerned. */
            readonly single_sign_on?: "optional" | "required";
        };
        readonly OrganizationIpRuleRequest: {
            /** @description A network such as 203.0.113.0/24 or 2001:db8::/32, or one address. */
            readonly cidr: string;
            /** @description `dashboard`: people who are signed in. `api`: keys, and the addresses that were signed for them. */
            readonly applies_to?: "dashboard" | "api" | "both";
            readonly note?: string | null;
            /** @description true if you would not come in from your address any more, and mean it. */
            readonly confirm?: boolean;
        };
        readonly Outcome: {
            readonly id: string;
            readonly prediction_id: string;
            readonly model_id: string;
            readonly version_id: string;
            /** @description The field of the answer that it is of. */
            readonly output: string;
            /** @description 0 or 1 of a probability, a number, or the name of a class. */
            readonly value: number | string;
            readonly observed_at: string;
            /**
             * @description tables: it was found in the data, as labels are.
             * @enum {string}
             */
            readonly source: "api" | "tables";
            readonly recorded_by: string;
            readonly recorded_at: string;
            readonly closes_at: string | null;
            /** @description Whether it counts: its window had closed when it was observed, or what was predicted had happened by then. */
            readonly is_decided: boolean;
            /** @description Counts up with each correction. */
            readonly revision: number;
            /** @description What it was before, oldest first. */
            readonly corrections: readonly components["schemas"]["OutcomeCorrection"][];
        };
        readonly OutcomeCorrection: {
            /** @description 0 or 1 of a probability, a number, or the name of a class. */
            readonly value: number | string;
            readonly observed_at: string;
            /**
             * @description tables: it was found in the data, as labels are.
             * @enum {string}
             */
            readonly source: "api" | "tables";
            readonly recorded_by: string;
            readonly recorded_at: string;
        };
        /** @description Whom the prediction was about, or the new row that it was about, by the key that it was given. */
        readonly OutcomeEntity: {
            readonly table?: string;
            readonly key: string;
        };
        readonly OutcomePage: {
            readonly data: readonly components["schemas"]["Outcome"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly OutcomesRequest: {
            readonly outcomes: readonly components["schemas"]["GivenOutcome"][];
        };
        readonly OutputMetrics: {
            readonly name: string;
            /** @description The metric by which recipes were chosen. */
            readonly metric: string;
            /** @description How it was learned. */
            readonly recipe: string;
            readonly rows: number | null;
            readonly days: components["schemas"]["MetricsDays"] | null;
            readonly learned: components["schemas"]["MetricsLearned"] | null;
            readonly value: number | null;
            readonly standard_error: number | null;
            /** @description Of the metric, fold after fold in time, the earliest first. */
            readonly folds: readonly (number | null)[];
            /** @description Other metrics on the same rows, by name. */
            readonly others: {
                readonly [key: string]: number | null;
            };
            readonly naive: components["schemas"]["NaiveMetric"] | null;
            readonly calibration: components["schemas"]["EvaluationCalibration"] | null;
            readonly reliability: readonly components["schemas"]["EvaluationReliability"][] | null;
            readonly sureness: (components["schemas"]["EvaluationCoverage"] | components["schemas"]["EvaluationBounds"]) | null;
            readonly positives: number | null;
            readonly histogram: readonly components["schemas"]["MetricsBin"][] | null;
            readonly score_histogram: readonly components["schemas"]["MetricsBin"][] | null;
            readonly thresholds: readonly components["schemas"]["MetricsThreshold"][] | null;
            readonly cutoffs: readonly components["schemas"]["MetricsCutoff"][] | null;
            readonly gains: readonly components["schemas"]["EvaluationGains"][] | null;
            readonly classes: readonly components["schemas"]["MetricsClass"][] | null;
        };
        readonly Passkey: {
            readonly id: string;
            readonly name: string;
            /** @description Whether copies of it are kept for its owner, such as by a password manager. */
            readonly backed_up: boolean;
            readonly created_at: string;
            readonly last_used_at: string | null;
        };
        readonly PasskeyChange: {
            readonly name: string;
        };
        readonly PasskeyCreationOptions: {
            readonly rp: {
                readonly id: string;
                readonly name: string;
            };
            readonly user: {
                readonly id: string;
                readonly name: string;
                readonly displayName: string;
            };
            /** @description Good once, for five minutes. */
            readonly challenge: string;
            readonly pubKeyCredParams: readonly {
                readonly type: string;
                readonly alg: number;
            }[];
            /** @description In milliseconds. */
            readonly timeout: number;
            readonly excludeCredentials: readonly components["schemas"]["PasskeyDescriptor"][];
            readonly authenticatorSelection: {
                readonly residentKey: string;
                readonly requireResidentKey: boolean;
                readonly userVerification: string;
            };
            readonly attestation: string;
        };
        readonly PasskeyDescriptor: {
            readonly type: string;
            readonly id: string;
            readonly transports: readonly string[];
        };
        readonly PasskeyRequest: {
            /** @description By which you know it, such as that of the device. */
            readonly name: string;
            readonly credential: components["schemas"]["Attestation"];
        };
        readonly PasskeyRequestOptions: {
            /** @description Good once, for five minutes. */
            readonly challenge: string;
            /** @description In milliseconds. */
            readonly timeout: number;
            readonly rpId: string;
            readonly allowCredentials: readonly components["schemas"]["PasskeyDescriptor"][];
            readonly userVerification: string;
        };
        readonly Passkeys: {
            readonly data: readonly components["schemas"]["Passkey"][];
        };
        readonly PasswordResetConfirmation: {
            readonly token: string;
            /** @description Every character counts, also a space at the end. */
            readonly password: string;
        };
        readonly PasswordResetRequest: {
            readonly email: string;
        };
        readonly PlanDocument: {
            /** @description In reais, with two decimals at most. */
            readonly monthly_fee: string;
            /** @description By meter; a meter that has none costs nothing. */
            readonly prices: {
                readonly predictions?: components["schemas"]["Price"];
                readonly batch_rows?: components["schemas"]["Price"];
                readonly embeddings?: components["schemas"]["Price"];
                readonly storage_megabyte_days?: components["schemas"]["Price"];
                readonly training_minutes?: components["schemas"]["Price"];
            };
            /** @description By resource: how much the organization may use in a calendar month, have at once, or ask for in a second, unless the operator has set a quota. */
            readonly quotas?: {
                readonly predictions?: number;
                readonly batch_rows?: number;
                readonly embeddings?: number;
                readonly training_runs?: number;
                readonly open_batches?: number;
                readonly open_ingestions?: number;
                readonly open_training_runs?: number;
                readonly open_evaluations?: number;
                readonly stored_megabytes?: number;
                readonly predictions_per_second?: number;
            };
            /** @description Requests of one workspace to one process in a minute, instead of those of the installation. */
            readonly rate_limits?: {
                readonly real_time?: number;
                readonly other?: number;
            };
            /** @description How many times the time of one of weight 1 each workspace gets for its ingestions, trainings and batches, unless the operator has weighed it. 1 by default. */
            readonly weight?: number;
        };
        readonly Prediction: {
            readonly id: string;
            readonly model_id: string;
            readonly version_id: string;
            readonly snapshot_id: string;
            readonly alias: string | null;
            /** @description As of when it is answered: the end of reference_date in the zone of the workspace, or the moment of the request without one. A new row that has its own date is answered as of that. */
            readonly as_of: string;
            readonly entity: components["schemas"]["PredictionEntity"] | null;
            readonly band: string | null;
            readonly channel: string | null;
            readonly latency_ms: number | null;
            readonly inputs: unknown;
            readonly outputs: unknown;
            readonly request_id: string;
            readonly created_at: string;
        };
        readonly PredictionAnswer: {
            readonly prediction_id: string;
            readonly model_id: string;
            readonly version_id: string;
            readonly snapshot_id: string;
            /** @description As of when it is answered: the end of reference_date in the zone of the workspace, or the moment of the request without one. A new row that has its own date is answered as of that. */
            readonly as_of: string;
            readonly generated_at: string;
            /**
             * @description Of its sentences, where it was asked for.
             * @enum {string}
             */
            readonly language?: "en" | "pt-BR";
            /**
             * @description Of the inputs. full: each was given, and whom they name was in the data with events. none: nothing of that. How much history there is says data_coverage_share alone, which may be small where this is full.
             * @enum {string}
             */
            readonly data_coverage: "full" | "partial" | "none";
            /** @description Of the history: the share of the model's importance that comes by what has a value for this row. */
            readonly data_coverage_share: number;
            /** @description What the model reads and was not known, the most important first. */
            readonly unknown?: readonly components["schemas"]["Unknown"][];
            /** @description unknown_entity: what an input names is not in the data, or was not by as_of. unknown_value: no row has its text. wrong_check_digits: it is written as a CPF or CNPJ and is none, or is none though all in the data are named by one. outside_population: the case does not meet the condition on whom the question is about. stale_data: the newest data are older than they ever were silent. before_learned: as_of lies before the first case that the model learned from. Absent where there is nothing to say. */
            readonly warnings?: readonly components["schemas"]["PredictionWarning"][];
            readonly data_age: number | null;
            /** @description What moved the answer most, in sentences: first what moved its number most, up or down. */
            readonly key_factors?: readonly string[];
            /** @description What moved the answer most, in sentences: first what moved its number most, up or down. */
            readonly risk_factors?: readonly string[];
            readonly explanation?: readonly components["schemas"]["ExplainedFactor"][];
            readonly explained?: components["schemas"]["Explained"] | null;
            /** @description By field: within which the rate of rows like this one lies (probabilities), or nine of ten later rows (numbers). */
            readonly interval?: {
                readonly [key: string]: components["schemas"]["Interval"];
            };
        } & {
            readonly [key: string]: unknown;
        };
        readonly PredictionBucket: {
            readonly start: string;
            /** @description Not included. */
            readonly end: string;
            /** @description How many predictions. */
            readonly predictions: number;
            readonly latency_ms: components["schemas"]["PredictionLatency"] | null;
            /** @description Those that answered most lead. */
            readonly versions: readonly components["schemas"]["PredictionsOfVersion"][];
            readonly bands: readonly components["schemas"]["PredictionsOfBand"][];
            readonly tenths: readonly components["schemas"]["PredictionsOfTenth"][];
            readonly channels: readonly components["schemas"]["PredictionsOfChannel"][];
        };
        /** @description Whom it is about: of a new row, the first entity that it refers to. Null where it names none, was erased, or was made before this was kept. */
        readonly PredictionEntity: {
            readonly table: string;
            readonly key: string;
        };
        /** @description Quantiles of latency_ms of the predictions that have one; null where none has. */
        readonly PredictionLatency: {
            readonly p50: number;
            readonly p95: number;
            readonly p99: number;
        };
        readonly PredictionLineage: {
            readonly prediction_id: string;
            readonly model_id: string;
            readonly version_id: string;
            readonly snapshot_id: string;
            readonly as_of: string;
            /** @description Largest effect first: more of them than the answer told. Of factor, those alone that have its code. */
            readonly factors: readonly components["schemas"]["LineageFactor"][];
            /** @description The features of factor, what moved the answer most first: each on every page, with those of its rows that are on this one. */
            readonly data: readonly components["schemas"]["LineageFeature"][];
            /** @description Whether values are null for want of the right to download files. */
            readonly are_values_hidden: boolean;
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly PredictionPage: {
            readonly data: readonly components["schemas"]["Prediction"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly PredictionPins: {
            readonly version_id: string;
            readonly snapshot_id: string;
            /** @description Of the version. */
            readonly contract_id: string;
            /** @description Of the data. */
            readonly snapshot_contract_id: string;
            readonly as_of: string;
            readonly generated_at: string;
            readonly time_zone: string | null;
            readonly language: string | null;
            readonly include: readonly ("explanation" | "interval" | "unknown" | "language")[] | null;
            readonly engine: string | null;
        };
        readonly PredictionReplay: {
            readonly prediction_id: string;
            /** @description Whether the answer is the one that was sent, to the byte, and the log has it. */
            readonly bit_identical: boolean;
            readonly output_hash: string | null;
            readonly replayed_hash: string | null;
            readonly log_intact: boolean | null;
            /** @description Where the answer differs from what the log has, as JSON Pointers: the first 50. */
            readonly differences: readonly string[];
            /** @description The answer that is given now. Null where it is refused. */
            readonly outputs: unknown;
            readonly refusal: {
                readonly code: string;
                readonly detail: string;
            } | null;
            readonly pins: components["schemas"]["PredictionPins"];
            /** @description By which it was answered now. The release, Node, and the processor with what numerical libraries use of it. */
            readonly engine: string;
            readonly replayed_at: string;
        };
        /** @description Inputs by name, as GET /v1/api/models/{model_id}/versions/{version_id} declares them. */
        readonly PredictionRequest: {
            readonly [key: string]: unknown;
        };
        readonly PredictionStatistics: {
            /** @enum {string} */
            readonly bucket: "hour" | "day" | "all";
            readonly time_zone: string;
            readonly from: string;
            readonly to: string;
            /** @description In order of time; also those in which nothing was answered. */
            readonly data: readonly components["schemas"]["PredictionBucket"][];
        };
        readonly PredictionWarning: {
            /** @enum {string} */
            readonly code: "unknown_entity" | "unknown_value" | "wrong_check_digits" | "outside_population" | "stale_data" | "before_learned";
            readonly input: string | null;
            /** @description Of outside_population: what the case does not meet, as the query writes it. */
            readonly condition?: string;
            /** @description The condition in words. Older answers lack it. */
            readonly said?: {
                readonly en: string;
                readonly "pt-BR": string;
            };
            /**
             * Format: date
             * @description Of before_learned: the day of the first case that the model learned from.
             */
            readonly learned_from?: string;
            readonly message: string;
        };
        readonly PredictionsOfBand: {
            readonly band: string | null;
            /** @description How many predictions. */
            readonly predictions: number;
        };
        readonly PredictionsOfChannel: {
            readonly channel: string | null;
            /** @description How many predictions. */
            readonly predictions: number;
        };
        readonly PredictionsOfTenth: {
            readonly tenth: number | null;
            /** @description How many predictions. */
            readonly predictions: number;
        };
        readonly PredictionsOfVersion: {
            readonly model_id: string | null;
            readonly version_id: string | null;
            /** @description How many predictions. */
            readonly predictions: number;
        };
        readonly Price: {
            /** @description How many units the prices of the tiers are for. */
            readonly per: number;
            readonly tiers: readonly components["schemas"]["PriceTier"][];
        };
        readonly PricePlan: {
            readonly name: string;
            readonly version: number;
            readonly currency: string;
            readonly document: components["schemas"]["PlanDocument"];
        };
        readonly PriceTier: {
            /** @description Null in the last tier, which has no end. */
            readonly up_to: number | null;
            /** @description In reais, for `per` units, with up to six decimals: 12.50. 0 where units are included. */
            readonly price: string;
        };
        readonly Problem: {
            /** @description urn:lastro:error: and the code. */
            readonly type: string;
            /** @description What the status means. */
            readonly title: string;
            readonly status: number;
            /** @description What was wrong, where, and what to do. May change: switch on the code. */
            readonly detail: string;
            readonly code: components["schemas"]["ErrorCode"];
            readonly because?: components["schemas"]["Because"];
            /** @description That of Request-Id; say it when you report a fault. */
            readonly request_id: string;
            readonly errors: readonly components["schemas"]["ProblemPlace"][];
        };
        readonly ProblemPlace: {
            /** @description A JSON pointer into the body, or /path/… or /query/…. */
            readonly pointer: string;
            readonly code: components["schemas"]["ErrorCode"];
            readonly detail: string;
            readonly because?: components["schemas"]["Because"];
        };
        readonly Quota: {
            /** @enum {string} */
            readonly resource: "predictions" | "batch_rows" | "embeddings" | "training_runs" | "open_batches" | "open_ingestions" | "open_training_runs" | "open_evaluations" | "stored_megabytes" | "predictions_per_second";
            /**
             * @description Whose use counts: of this workspace, or of all workspaces of the organization together.
             * @enum {string}
             */
            readonly of: "workspace" | "organization";
            /**
             * @description month: what is used in a calendar month. now: what there is at once. second: what is asked for in a second, of each process.
             * @enum {string}
             */
            readonly period: "month" | "now" | "second";
            readonly limit: number;
            readonly used: number | null;
            readonly resets_at: string | null;
        };
        readonly QuotaList: {
            readonly data: readonly components["schemas"]["Quota"][];
        };
        readonly ReadDefinition: {
            /** @enum {string} */
            readonly kind: "binary" | "regression" | "multiclass" | "credit" | "fraud" | "lead_scoring" | "field_sales" | "paid_media";
            /** @description The definition as a query, spelt in the one canonical way; null where labels come in files. */
            readonly query: string | null;
            readonly question: components["schemas"]["TaskQuestion"] | null;
        };
        readonly ReaderCount: {
            readonly count: number;
            /** @description false: of the newest 100000 that were looked at. */
            readonly is_whole: boolean;
        };
        readonly ReauthenticationRequest: {
            /** @description Every character counts, also a space at the end. */
            readonly password: string;
            /** @description Of the app, or a recovery code. */
            readonly code?: string;
        };
        readonly RecordedOutcomes: {
            readonly created: number;
            readonly corrected: number;
            readonly unchanged: number;
            readonly data: readonly components["schemas"]["Outcome"][];
        };
        readonly RecoveryCodes: {
            /** @description Each is good once. Shown here and never again. */
            readonly recovery_codes: readonly string[];
        };
        readonly ReferringRows: {
            readonly table: string;
            /** @description The column by which its rows refer to the entity. */
            readonly reference: string;
            /** @description Those that were known by then, as they were known. */
            readonly rows: number;
            readonly first: string | null;
            readonly last: string | null;
        };
        readonly Replay: {
            readonly id: string;
            /**
             * @description self_check: the service replays a sample by itself each night.
             * @enum {string}
             */
            readonly origin: "request" | "self_check";
            readonly asked: {
                readonly predictions?: {
                    readonly ids?: readonly string[];
                    readonly from?: string;
                    readonly to?: string;
                    readonly model_id?: string;
                    readonly version_id?: string;
                };
                readonly batch_id?: string;
            };
            /** @enum {string} */
            readonly status: "queued" | "running" | "succeeded" | "failed" | "interrupted";
            readonly total: number | null;
            readonly done: number;
            readonly fraction: number;
            /** @description Answered again to the byte. */
            readonly identical: number;
            readonly different: number;
            readonly gone: components["schemas"]["ReplayGone"];
            /** @description The first 20 that differ, without values. */
            readonly differences: readonly components["schemas"]["ReplayDifference"][];
            readonly failure: components["schemas"]["JobFailure"] | null;
            readonly created_by: string;
            readonly created_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
        };
        readonly ReplayDifference: {
            readonly prediction_id?: string;
            /** @description The input of a batch. */
            readonly file_id?: string;
            readonly row?: number | null;
            /** @description JSON Pointers; of a batch the columns. */
            readonly paths: readonly string[];
        };
        /** @description How many cannot be answered again, by what is gone: they were erased or have expired; the version was deleted, the snapshot emptied by an erasure, the file of a batch deleted; stored bytes are missing or damaged; or the part of a batch was interrupted. */
        readonly ReplayGone: {
            readonly erased?: number;
            readonly expired?: number;
            readonly version?: number;
            readonly snapshot?: number;
            readonly file?: number;
            readonly stored?: number;
            readonly interrupted?: number;
        };
        readonly ReplayPage: {
            readonly data: readonly components["schemas"]["Replay"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly ReplayRequest: {
            readonly predictions?: components["schemas"]["ReplayedPredictions"];
            /** @description Id of a batch with a result. */
            readonly batch?: string;
        };
        readonly ReplayedPredictions: {
            readonly ids?: readonly string[];
            /** @description So many of the newest, spread over versions and snapshots. */
            readonly sample?: number;
            /** @description RFC 3339: those answered at that moment or later; from the first one by default. */
            readonly from?: string;
            /** @description RFC 3339: those answered before that moment; all until now by default. */
            readonly to?: string;
            /** @description Id or name of a model. */
            readonly model?: string;
            readonly version_id?: string;
        };
        readonly RfmVersion: {
            /** @description Also the model_snapshot of its vectors. */
            readonly id: string;
            /** @description The table of the entities that it embeds. */
            readonly entity: string;
            readonly number: number;
            readonly parent_id: string | null;
            readonly gfm_version_id: string | null;
            readonly training_run_id: string;
            readonly snapshot_id: string;
            readonly contract_id: string;
            /** @description How well each head predicts what events did next, on moments later than what was learned from. */
            readonly report: unknown;
            readonly created_at: string;
        };
        readonly RfmVersionPage: {
            readonly data: readonly components["schemas"]["RfmVersion"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly RoleChange: {
            readonly role: "creator" | "developer" | "analyst" | "billing_manager" | "auditor" | "member";
        };
        readonly Roles: {
            readonly data: readonly {
                readonly role: "creator" | "developer" | "analyst" | "billing_manager" | "auditor" | "member";
                readonly permissions: readonly ("create_workspaces" | "archive_workspaces" | "view_models" | "manage_aliases" | "invoke_predictions" | "view_batches" | "create_batches" | "cancel_batches" | "download_results" | "delete_results" | "view_files" | "upload_files" | "download_files" | "delete_files" | "manage_api_keys" | "manage_webhooks" | "view_usage" | "view_invoices" | "view_usage_logs" | "view_activity_logs" | "manage_members" | "view_members")[];
            }[];
        };
        readonly SaidNotification: {
            readonly title: string;
            readonly body: string;
        };
        readonly SaidOutput: {
            /** @description The field of an answer. */
            readonly name: string;
            /** @description What its number says. */
            readonly meaning: string;
        };
        readonly SaidQuestion: {
            /** @description Whom it is asked about, what, and how far ahead. */
            readonly sentence: string;
            readonly outputs: readonly components["schemas"]["SaidOutput"][];
        };
        readonly SamlAnswer: {
            readonly SAMLResponse: string;
            readonly RelayState?: string;
        };
        readonly SamlConnectionRequest: {
            readonly name: string;
            /** @description What people become who sign in for the first time without an invitation: member by default. */
            readonly default_role?: "developer" | "analyst" | "billing_manager" | "auditor" | "member";
            readonly default_workspace_id?: string | null;
            /** @description Of the provider, as XML. Or the other three fields. */
            readonly metadata?: string;
            /** @description The entity id of the provider. */
            readonly issuer?: string;
            /** @description Where it takes requests (HTTP-Redirect). */
            readonly sso_url?: string;
            /** @description X.509, as PEM or its base64. While the provider changes its certificate, the old and the new one. */
            readonly certificates?: readonly string[];
        };
        readonly ScorePoint: {
            readonly at: string;
            readonly score: number;
        };
        readonly SecondFactor: {
            /** @description Whether an app is set up. */
            readonly totp: boolean;
            readonly recovery_codes_left: number;
        };
        readonly SecondFactorChallenge: {
            /** @description Goes with the code. */
            readonly token: string;
            readonly expires_at: string;
        };
        readonly SecondFactorProof: {
            readonly token: string;
            /** @description Of the app, or a recovery code. */
            readonly code: string;
        };
        readonly Session: {
            readonly id: string;
            /** @description Whether it is the one that asks. */
            readonly current: boolean;
            /** @description How its user proved who they are. */
            readonly method: string;
            readonly ip: string | null;
            readonly request_ip: string | null;
            readonly user_agent: string | null;
            readonly created_at: string;
            /** @description When its user last proved who they are. */
            readonly authenticated_at: string;
            /** @description To the minute. */
            readonly last_seen_at: string;
            /** @description At the latest; sooner without requests. */
            readonly expires_at: string;
        };
        readonly Sessions: {
            readonly data: readonly components["schemas"]["Session"][];
        };
        readonly SetAlias: {
            readonly model_id: string;
            readonly alias: string;
            readonly version_id: string;
            readonly updated_at: string;
            /** @description By which callers of the version before would be refused now. */
            readonly input_changes: readonly components["schemas"]["InputChange"][];
        };
        readonly SetupStep: {
            readonly step: string;
            /** @enum {string} */
            readonly status: "waiting" | "running" | "ready" | "failed";
            readonly phase: string | null;
            readonly fraction: number | null;
            readonly detail: string | null;
            readonly ingestion_id: string | null;
            readonly training_run_id: string | null;
            readonly model_id: string | null;
            readonly updated_at: string;
        };
        readonly SetupSteps: {
            readonly data: readonly components["schemas"]["SetupStep"][];
        };
        readonly SftpFile: {
            readonly id: string;
            /** @description In batch/in. */
            readonly name: string;
            /**
             * @description incomplete: the line dropped before its end. held: whole, under a name of what is not finished. received: to be looked at. accepted: a batch was made of it. refused: none was; problems says why.
             * @enum {string}
             */
            readonly status: "incomplete" | "held" | "received" | "accepted" | "refused";
            readonly bytes: number;
            readonly sha256: string | null;
            readonly sftp_user_id: string;
            readonly file_id: string | null;
            readonly batch_id: string | null;
            readonly problems: readonly string[];
            /** @description What problems say, in their order: the code of each, and what it names. Null of one without a code. */
            readonly problem_codes: readonly (components["schemas"]["Because"] | null)[];
            readonly created_at: string;
            readonly settled_at: string | null;
            readonly removed_at: string | null;
        };
        readonly SftpFilePage: {
            readonly data: readonly components["schemas"]["SftpFile"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly SftpPublicKey: {
            readonly type: string;
            readonly fingerprint: string;
        };
        readonly SftpServer: {
            /** @description Whether the operator has enabled SFTP for the organization. */
            readonly enabled: boolean;
            readonly host: string;
            readonly port: number | null;
            /** @description By what the server proves itself: the key of now, and the next one where it is known. */
            readonly host_keys: readonly {
                /** @description As clients show it at the first connection. */
                readonly fingerprint: string;
                readonly used_from: string;
            }[];
        };
        readonly SftpUser: {
            readonly id: string;
            readonly name: string;
            /** @description What a client signs in as. */
            readonly login: string;
            /** @description Whose role it acts with, as it is at each request. */
            readonly user_id: string;
            readonly password_hint: string | null;
            /** @description Keys that let it in, with their fingerprints as ssh-keygen -l says them. */
            readonly public_keys: readonly components["schemas"]["SftpPublicKey"][];
            /** @description Of the batches that are made of its files. */
            readonly priority: number;
            readonly created_at: string;
            readonly last_used_at: string | null;
            readonly last_used_ip: string | null;
        };
        readonly SftpUserPage: {
            readonly data: readonly components["schemas"]["SftpUser"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly SftpUserRequest: {
            readonly name: string;
            /** @description Keys that let it in. */
            readonly public_keys?: readonly string[];
            /** @description Whether it gets a password; by default where it has no keys. */
            readonly password?: boolean;
            /** @description Of the batches that are made of its files: higher goes first; 0 by default. */
            readonly priority?: number;
        };
        readonly Shadow: {
            readonly model_id: string;
            readonly version_id: string;
            readonly alias: string;
            readonly share: number;
            readonly cutoff: (components["schemas"]["ByScore"] | components["schemas"]["ByProbability"] | components["schemas"]["ByValue"]) | null;
            /** @description Predictions of the alias that the version has answered too. */
            readonly answered: number;
            /** @description Those whose inputs it would refuse. */
            readonly refused: number;
            /** @description Predictions until then have been looked at. */
            readonly seen_until: string;
            readonly created_at: string;
            readonly comparison: components["schemas"]["ShadowComparison"] | null;
        };
        /** @description Of the newest 20000 pairs: before is what was answered. Null before the first. */
        readonly ShadowComparison: {
            readonly rows: number;
            /** @description The field of the answers that is compared. */
            readonly field: string;
            readonly mean: components["schemas"]["BacktestPair"] | null;
            readonly mean_change: number | null;
            readonly rank_correlation: number | null;
            readonly psi: number | null;
            readonly ks: number | null;
            /** @description Share of rows with the same answer. */
            readonly equal: number;
            /** @description Of scores, where there is one; empty for classes. */
            readonly distribution: readonly components["schemas"]["BacktestBin"][];
            /** @description How many moved by from or more and less than to, in the unit of distribution; none where none moved. */
            readonly changes: readonly components["schemas"]["BacktestChange"][];
            readonly migration: components["schemas"]["BacktestMigration"];
            /** @description The rows of each group of migration before. */
            readonly by_group: readonly components["schemas"]["BacktestPart"][];
            readonly decisions: components["schemas"]["BacktestDecisions"] | null;
        };
        readonly ShadowRequest: {
            /** @description The alias whose predictions it answers too. */
            readonly alias: string;
            readonly share: number;
            /** @description Where decisions are made: accepted from this score on; up to this probability of a risk, or from this one of anything else on; from this number on. */
            readonly cutoff?: components["schemas"]["ByScore"] | components["schemas"]["ByProbability"] | components["schemas"]["ByValue"];
        };
        readonly SignInRequest: {
            readonly email: string;
            /** @description Every character counts, also a space at the end. */
            readonly password: string;
        };
        readonly SignUpRequest: {
            readonly email: string;
            /** @description Every character counts, also a space at the end. */
            readonly password: string;
            /** @description Yours. */
            readonly name: string;
            /** @description The name of the company. */
            readonly organization: string;
            /** @description The name of the first workspace: Main by default. */
            readonly workspace?: string;
            /** @description Of the IANA list: America/Sao_Paulo. */
            readonly time_zone?: string;
            readonly language?: "en" | "pt-BR";
        };
        readonly SignUpVerification: {
            readonly token: string;
        };
        readonly SingleSignOn: {
            readonly url: string | null;
        };
        readonly SingleSignOnRequest: {
            readonly email: string;
        };
        readonly SplitArm: {
            /**
             * @description alias: the version that the alias points at.
             * @enum {string}
             */
            readonly arm: "alias" | "split";
            readonly version_id: string;
            /** @description Of those whom predictions are about. */
            readonly share: number;
            readonly answers: number;
            /** @description How many they are about; who is not named counts once for each answer. */
            readonly entities: number;
            /** @description How many answers are of each risk_band; empty where answers have none. */
            readonly bands: readonly components["schemas"]["SplitBand"][];
            /** @description How many lie in each tenth of the range of the first output that has one, from 1. */
            readonly tenths: readonly components["schemas"]["SplitTenth"][];
            /** @description What came of them, by output; an output of which nothing has come is not there. */
            readonly outcomes: readonly components["schemas"]["SplitOutcomes"][];
        };
        readonly SplitBand: {
            readonly band: string;
            readonly answers: number;
        };
        readonly SplitDifference: {
            readonly output: string;
            /** @description Of the split less that of the alias. */
            readonly observed: number;
            /** @description With high, its 95 % interval: where 0 lies in it, they need not differ. */
            readonly low: number;
            readonly high: number;
        };
        /** @description The version that answers a share of it; absent where it is not split. */
        readonly SplitOf: {
            readonly version_id: string;
            readonly share: number;
        };
        readonly SplitOutcomes: {
            readonly output: string;
            /** @description Of each entity the newest answer whose window has closed. */
            readonly rows: number;
            /** @description Mean of what was answered of them. */
            readonly expected: number;
            /** @description Mean of what came; of classes how often the likeliest was right. */
            readonly observed: number;
            readonly observed_low: number | null;
            readonly observed_high: number | null;
            readonly metrics: {
                readonly [key: string]: number;
            };
            readonly bands: readonly components["schemas"]["MonitoredBand"][];
        };
        readonly SplitTenth: {
            readonly tenth: number;
            readonly answers: number;
        };
        readonly SsoConnection: {
            readonly id: string;
            /** @description `oidc` or `saml`. */
            readonly kind: string;
            readonly name: string;
            /** @description `active`: people may sign in through it; or `inactive`. */
            readonly status: string;
            /** @description What the identity provider calls itself. */
            readonly issuer: string;
            /** @description What people become who sign in for the first time without an invitation: member by default. */
            readonly default_role: "developer" | "analyst" | "billing_manager" | "auditor" | "member";
            readonly default_workspace_id: string | null;
            /** @description A link to it begins to sign in, such as from a page of the company. */
            readonly sign_in_url: string;
            readonly oidc: {
                readonly client_id: string;
                /** @description What the provider must know as redirect URI. */
                readonly callback_url: string;
            } | null;
            readonly saml: {
                /** @description Where the provider takes requests (HTTP-Redirect). */
                readonly sso_url: string;
                /** @description Those by which answers of the provider may be signed. */
                readonly certificates: readonly {
                    /** @description SHA-256, in hex. */
                    readonly fingerprint: string;
                    readonly not_before: string;
                    readonly not_after: string;
                }[];
                /** @description What the provider must know as the entity id, or audience, of Lastro. */
                readonly entity_id: string;
                /** @description Where the provider must send its answers (HTTP-POST). */
                readonly acs_url: string;
                /** @description Both as metadata, for providers that read them. */
                readonly metadata_url: string;
            } | null;
            readonly created_at: string;
        };
        readonly SsoConnectionChange: {
            readonly name?: string;
            /** @description What people become who sign in for the first time without an invitation: member by default. */
            readonly default_role?: "developer" | "analyst" | "billing_manager" | "auditor" | "member";
            readonly default_workspace_id?: string | null;
            /** @description Of OpenID Connect. */
            readonly client_id?: string;
            /** @description Kept sealed, and never shown again. */
            readonly client_secret?: string;
            /** @description Of SAML. */
            readonly sso_url?: string;
            /** @description X.509, as PEM or its base64. While the provider changes its certificate, the old and the new one. */
            readonly certificates?: readonly string[];
        };
        readonly SsoConnectionPage: {
            readonly data: readonly components["schemas"]["SsoConnection"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly TableColumn: {
            readonly name: string;
            /** @enum {string} */
            readonly type: "string" | "integer" | "number" | "boolean" | "date" | "timestamp" | "time";
            /** @description Whether it is the key of the table, or a part of it. */
            readonly is_key: boolean;
            readonly references: string | null;
        };
        /** @description The values by column; null where there is none. */
        readonly TableRow: {
            readonly [key: string]: string | number | boolean | null;
        };
        readonly TableRows: {
            readonly table: string;
            /** @description The state of the data that they are of: the same on all pages. */
            readonly snapshot_id: string;
            /** @description The contract under which the data are. */
            readonly contract_id: string;
            /** @description How many rows the table has, those that name somebody erased counted too. */
            readonly rows: number;
            /** @description In the order of the contract. */
            readonly columns: readonly components["schemas"]["TableColumn"][];
            /** @description Columns that are never told: those marked pii, of which most are not even kept, CPFs, e-mails and phone numbers, and references to rows whose key is one of these. */
            readonly personal_columns: readonly string[];
            readonly data: readonly components["schemas"]["TableRow"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly TargetByParts: {
            readonly model_id: string;
            readonly alias?: string;
            readonly version_id?: string;
        };
        readonly Task: {
            readonly id: string;
            readonly name: string;
            /** @enum {string} */
            readonly kind: "binary" | "regression" | "multiclass" | "credit" | "fraud" | "lead_scoring" | "field_sales" | "paid_media";
            /** @description Whom to predict for, what, how far ahead: YAML, or a query. */
            readonly definition: string;
            /** @description The definition as a query, spelt in the one canonical way; null where labels come in files. */
            readonly query: string | null;
            readonly question: components["schemas"]["TaskQuestion"] | null;
            readonly labels: components["schemas"]["TaskLabels"];
            readonly created_at: string;
        };
        readonly TaskLabels: {
            readonly train?: string;
            readonly validation?: string;
        };
        readonly TaskPage: {
            readonly data: readonly components["schemas"]["Task"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly TaskParts: {
            readonly name: string;
            /** @description YAML, or a query. */
            readonly definition: string;
            /** @description Labels. */
            readonly train?: string;
            /** @description Later labels, learned from as well. */
            readonly validation?: string;
        };
        readonly TaskQuestion: {
            readonly en: components["schemas"]["SaidQuestion"];
            readonly "pt-BR": components["schemas"]["SaidQuestion"];
        };
        readonly TaskRequest: {
            readonly name: string;
            /** @description YAML, or a query: PREDICT exists(order) WITHIN 30d FOR customer. There is an example of each kind. */
            readonly definition: string;
            readonly labels?: {
                /** @description Id of an uploaded file with labels. */
                readonly train?: string;
                /** @description Later labels, learned from as well. */
                readonly validation?: string;
            };
        };
        /** @description What its next move is held against: of its last move, or its first score. */
        readonly ToldScore: {
            readonly score: number;
            readonly band: string | null;
            readonly at: string;
        };
        readonly Total: {
            /** @description How many entries the list has, whatever the page. */
            readonly count: number;
            /** @description Whether it has more: past 10000 nothing is counted, nor past what a list says it looks at. */
            readonly has_more: boolean;
        };
        readonly TotpConfirmation: {
            readonly code: string;
        };
        readonly TotpSecret: {
            /** @description In base 32, to be typed into an app. */
            readonly secret: string;
            /** @description The same, to be shown as a picture that an app reads. */
            readonly uri: string;
        };
        readonly TrainingRun: {
            readonly id: string;
            readonly task_id: string | null;
            readonly entity: string | null;
            readonly model_id: string | null;
            readonly version_id: string | null;
            readonly version_number: number | null;
            readonly rfm_version_id: string | null;
            readonly gfm_version_id: string | null;
            /** @description The data that it reads. */
            readonly snapshot_id: string;
            /** @description When these data were taken in. */
            readonly snapshot_created_at: string;
            readonly data_until: string | null;
            readonly contract_id: string;
            /** @description The number of the contract that the data it reads are under. */
            readonly contract_number: number;
            /** @description Whether an encoder of the entity is pre-trained first. */
            readonly pretrain: boolean;
            /** @description Whether the encoder of the task's table is fine-tuned on its labels. */
            readonly feedback: boolean;
            readonly alias: string | null;
            /** @description Whether the alias moves to a version by which its callers would be refused. */
            readonly accept_input_changes: boolean;
            /** @description Whether the alias is kept from a version whose first output, or that of its score, is surely worse than what takes no learning. */
            readonly hold_back_worse: boolean;
            /** @enum {string} */
            readonly status: "queued" | "running" | "succeeded" | "failed" | "interrupted";
            readonly runs_before: number | null;
            readonly waits_for: ("turn" | "others" | "worker" | "process") | null;
            readonly start_eta: string | null;
            readonly phase: string | null;
            readonly fraction: number;
            readonly eta: string | null;
            /** @description What is known so far of how good the model is, by output. */
            readonly metrics: unknown;
            /** @description What a person should look at before trusting what it made. */
            readonly warnings: readonly components["schemas"]["ModelWarning"][];
            readonly failure: components["schemas"]["JobFailure"] | null;
            readonly created_by: components["schemas"]["CreatedBy"] | null;
            readonly created_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
        };
        readonly TrainingRunPage: {
            readonly data: readonly components["schemas"]["TrainingRun"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly TrainingRunRequest: {
            /** @description Id or name of a task. */
            readonly task_id?: string;
            /** @description A table of the contract; in place of task_id. */
            readonly entity?: string;
            /** @description The model's name; the task's by default. */
            readonly model?: string;
            /** @description Pointed at the version once active, unless callers of the version behind it would be refused: an input is gone, newly required, or takes fewer values. warnings of the run then says so (inputs_changed). Without one the version is held against what the only alias of the model points at, or production among several, and nothing moves. */
            readonly alias?: string;
            /** @description Move the alias in that case too; false by default. */
            readonly accept_input_changes?: boolean;
            /** @description Keep the alias from a version whose first output, or that of its score, is surely worse than what takes no learning, and say so in warnings of the run (alias_held_back); false by default. */
            readonly hold_back_worse?: boolean;
            /** @description Whether the task's closed labels also fine-tune a copy of the newest encoder of its table; by default where there is one. It becomes an RFM version, with the one before as its parent, if no other head falls on later moments; metrics.feedback says. */
            readonly feedback?: boolean;
            /** @description Whether vectors of the GFM version that the workspace has adopted may be read: by a model where it predicts better with them, by an encoder beside its tables. By default where there is one and the contract marks a graphKey column of the entity or of what it refers to; adopted: refused where that is not so. */
            readonly gfm?: "adopted" | "none";
            /** @description First learn, without labels, what the events of the entity usually lead to: for tasks about entities with few labels. Where that helps, the version has an encoder of its own. */
            readonly pretrain?: boolean;
        };
        readonly Unknown: {
            /**
             * @description input: not given. entity: what this input names is not in the data. value: no row of the data has this text. history: what it names is there, and none of its events that the model reads.
             * @enum {string}
             */
            readonly kind: "input" | "entity" | "value" | "history";
            /** @description The input. */
            readonly name: string;
            /** @description Share of the model's importance. */
            readonly importance: number;
        };
        readonly Upload: {
            readonly id: string;
            readonly files: readonly components["schemas"]["UploadFile"][];
        };
        readonly UploadFile: {
            readonly id: string;
            readonly path: string;
            readonly upload_url: string;
            readonly method: string;
            readonly headers: {
                readonly [key: string]: string;
            };
            readonly expires_at: string;
        };
        readonly UploadProgress: {
            readonly id: string;
            /** @enum {string} */
            readonly status: "awaiting_upload" | "uploaded";
            /** @description Bytes that have arrived: the next part begins with this one. */
            readonly offset: number;
            /** @description That it has, once it was said. */
            readonly bytes: number | null;
        };
        readonly UploadRequest: {
            readonly files: readonly {
                /** @description A label of yours, such as 2026/orders.parquet. */
                readonly path: string;
                /** @enum {string} */
                readonly content_type: "application/vnd.apache.parquet" | "application/x-parquet" | "application/octet-stream" | "text/csv" | "application/jsonl" | "application/x-ndjson" | "application/json" | "application/gzip" | "application/x-yaml" | "text/plain";
                /** @description MD5 of the bytes, base64. */
                readonly md5: string;
                /** @description How many it has. To be sent in parts it must be said here, or by Upload-Length. */
                readonly bytes?: number;
            }[];
        };
        readonly Usage: {
            /** @enum {string} */
            readonly meter: "predictions" | "batch_rows" | "embeddings" | "storage_megabyte_days" | "training_minutes" | "training_runs";
            /** @description In the unit of the meter. */
            readonly quantity: number;
            readonly day: string | null;
            readonly month: string | null;
            readonly workspace_id: string | null;
            readonly model_id: string | null;
            readonly version_id: string | null;
        };
        readonly UsagePage: {
            readonly data: readonly components["schemas"]["Usage"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly UsageRecord: {
            /** @description That of its entry in the audit trail. */
            readonly id: string;
            readonly recorded_at: string;
            readonly workspace_id: string;
            /** @enum {string} */
            readonly meter: "predictions" | "batch_rows" | "embeddings" | "storage_megabyte_days" | "training_minutes" | "training_runs";
            readonly quantity: number;
            readonly model_id: string | null;
            readonly version_id: string | null;
            readonly actor: {
                readonly type: string;
                readonly id: string | null;
                readonly label: string | null;
            };
            readonly channel: string;
            readonly request_id: string | null;
            readonly target: {
                readonly type: string | null;
                readonly id: string | null;
            };
        };
        readonly UsageRecordPage: {
            readonly data: readonly components["schemas"]["UsageRecord"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly User: {
            readonly id: string;
            readonly email: string;
            readonly name: string;
            /** @description Of mails and the inbox. */
            readonly language: "en" | "pt-BR";
            /** @description Whether it was said by a change of the account, or when it was made; until then it is en. */
            readonly language_chosen: boolean;
            readonly email_verified_at: string | null;
            readonly created_at: string;
            readonly organizations: readonly {
                readonly id: string;
                readonly name: string;
                readonly role: string | null;
                /** @description What the roles there allow. */
                readonly permissions: readonly ("create_workspaces" | "archive_workspaces" | "view_models" | "manage_aliases" | "invoke_predictions" | "view_batches" | "create_batches" | "cancel_batches" | "download_results" | "delete_results" | "view_files" | "upload_files" | "download_files" | "delete_files" | "manage_api_keys" | "manage_webhooks" | "view_usage" | "view_invoices" | "view_usage_logs" | "view_activity_logs" | "manage_members" | "view_members")[];
            }[];
            readonly workspaces: readonly {
                readonly id: string;
                readonly organization_id: string;
                readonly name: string;
                readonly status: string;
                /** @description Of the reasons of its predictions. */
                readonly language: string;
                /** @description In which its days begin and end. */
                readonly time_zone: string;
                /** @description There, and in the whole organization. */
                readonly roles: readonly string[];
                /** @description What the roles there allow. */
                readonly permissions: readonly ("create_workspaces" | "archive_workspaces" | "view_models" | "manage_aliases" | "invoke_predictions" | "view_batches" | "create_batches" | "cancel_batches" | "download_results" | "delete_results" | "view_files" | "upload_files" | "download_files" | "delete_files" | "manage_api_keys" | "manage_webhooks" | "view_usage" | "view_invoices" | "view_usage_logs" | "view_activity_logs" | "manage_members" | "view_members")[];
            }[];
        };
        readonly UserChange: {
            readonly name?: string;
            readonly language?: "en" | "pt-BR";
        };
        readonly Validation: {
            readonly id: string;
            readonly model_id: string;
            readonly version_id: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "succeeded" | "failed" | "interrupted";
            readonly alias: string | null;
            readonly compare_with_version_id: string | null;
            readonly segments: readonly string[];
            readonly snapshot_id: string;
            readonly earlier_snapshot_id: string | null;
            /** @description Nothing later is read. */
            readonly as_of: string;
            readonly phase: string | null;
            readonly fraction: number;
            readonly verdict: ("better" | "equal" | "worse" | "broken" | "drifted" | "misscaled" | "cannot_tell") | null;
            readonly result: components["schemas"]["ValidationResult"] | null;
            readonly failure: components["schemas"]["JobFailure"] | null;
            readonly created_by: string;
            readonly created_at: string;
            readonly started_at: string | null;
            readonly finished_at: string | null;
        };
        readonly ValidationBand: {
            readonly name: string;
            readonly rows: number;
            readonly mean_predicted: number;
            readonly observed: number;
            readonly observed_low: number;
            readonly observed_high: number;
            /** @description With means_to, the probabilities that the band means. */
            readonly means_from: number;
            readonly means_to: number;
        };
        readonly ValidationBin: {
            readonly from: number | null;
            readonly to: number | null;
            readonly model: number;
            readonly compare_with: number | null;
        };
        readonly ValidationCheck: {
            /** @enum {string} */
            readonly name: "discrimination" | "log_loss" | "calibration_level" | "calibration_slope" | "score_meaning" | "distribution" | "rank_consistency" | "shadow_refusals" | "shadow_distribution" | "population" | "missing_inputs" | "hindsight" | "replay" | "plausibility" | "band_migration" | "stability" | "segments" | "latency";
            /**
             * @description By the default threshold. What gates of the model ask instead decides about aliases.
             * @enum {string}
             */
            readonly status: "passed" | "failed" | "cannot_tell";
            readonly value: number | null;
            readonly low: number | null;
            readonly high: number | null;
            readonly before: number | null;
            /** @description Whether later labels bear out what differs from the version before. */
            readonly borne_out: boolean;
            readonly threshold: number;
            readonly message: string;
        };
        readonly ValidationCutoff: {
            /** @description All rows with at least this score are accepted. */
            readonly score: number;
            readonly model: components["schemas"]["ValidationDecided"];
            readonly compare_with: components["schemas"]["ValidationDecided"] | null;
            readonly swapped_in: number | null;
            readonly swapped_out: number | null;
        };
        readonly ValidationDecided: {
            /** @description The share of rows of the present that is accepted. */
            readonly approval_rate: number;
            readonly expected_default: number | null;
            readonly observed_default: number | null;
        };
        readonly ValidationDifference: {
            readonly stability_index: number | null;
            readonly rank_correlation: number | null;
        };
        /** @description By how much the version is better on the same rows, whichever way the metric points. */
        readonly ValidationGains: {
            readonly auroc?: components["schemas"]["EvaluationEstimate"];
            readonly average_precision?: components["schemas"]["EvaluationEstimate"];
            readonly kolmogorov_smirnov?: components["schemas"]["EvaluationEstimate"];
            readonly log_loss?: components["schemas"]["EvaluationEstimate"];
            readonly brier?: components["schemas"]["EvaluationEstimate"];
            readonly accuracy?: components["schemas"]["EvaluationEstimate"];
            readonly f1?: components["schemas"]["EvaluationEstimate"];
            readonly mae?: components["schemas"]["EvaluationEstimate"];
            readonly rmse?: components["schemas"]["EvaluationEstimate"];
            readonly r2?: components["schemas"]["EvaluationEstimate"];
            readonly multiclass_accuracy?: components["schemas"]["EvaluationEstimate"];
            readonly multiclass_macro_f1?: components["schemas"]["EvaluationEstimate"];
            readonly multiclass_log_loss?: components["schemas"]["EvaluationEstimate"];
        };
        readonly ValidationHindsight: {
            readonly rows: number;
            readonly model: components["schemas"]["EvaluationEstimate"];
            readonly compare_with: components["schemas"]["EvaluationEstimate"] | null;
        };
        readonly ValidationLatencies: {
            readonly model: components["schemas"]["ValidationLatency"];
            readonly compare_with: components["schemas"]["ValidationLatency"] | null;
        };
        readonly ValidationLatency: {
            readonly median_ms: number;
            readonly p95_ms: number;
        };
        readonly ValidationMissing: {
            /** @description table.column, or a table whose rows are counted. */
            readonly at: string;
            readonly importance: number;
            /** @description The share of judged rows without a value. */
            readonly judged: number;
            /** @description The share of rows of the present without one. */
            readonly present: number;
        };
        readonly ValidationPage: {
            readonly data: readonly components["schemas"]["Validation"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly ValidationPart: {
            readonly name: string | null;
            readonly rows: number;
            readonly positives: number | null;
            readonly mean_predicted: number | null;
            readonly mean_observed: number | null;
            readonly model: number | null;
            readonly compare_with: number | null;
            readonly gain: components["schemas"]["EvaluationEstimate"] | null;
        };
        readonly ValidationPresent: {
            readonly rows: number;
            readonly at: string;
            readonly histogram: readonly components["schemas"]["ValidationBin"][];
            readonly stability_index: number | null;
            readonly largest_distance: number | null;
            readonly rank_correlation: number | null;
            readonly bands: readonly string[];
            readonly migration: readonly (readonly number[])[] | null;
            readonly cutoffs?: readonly components["schemas"]["ValidationCutoff"][];
            readonly judged?: components["schemas"]["ValidationDifference"] | null;
            readonly since_judged: components["schemas"]["ValidationSinceJudged"];
        };
        readonly ValidationReplay: {
            readonly rows: number;
            readonly at: string;
            readonly model: number | null;
            readonly compare_with: number | null;
            readonly hindsight?: components["schemas"]["ValidationHindsight"] | null;
        };
        readonly ValidationRequest: {
            /** @description The alias whose version it would replace. */
            readonly alias?: string;
            /** @description Another version of the model, by its id, number or alias, in place of alias. */
            readonly compare_with?: string;
            /** @description Columns of the entity's table, as known at each row's moment, whose values are told apart; without it those of the model's gates. */
            readonly segments?: readonly string[];
            /** @description Read nothing after the end of this day. */
            readonly reference_date?: string;
        };
        readonly ValidationResult: {
            /** @enum {string} */
            readonly verdict: "better" | "equal" | "worse" | "broken" | "drifted" | "misscaled" | "cannot_tell";
            readonly reason: string;
            readonly checks: readonly components["schemas"]["ValidationCheck"][];
            readonly output: string;
            /** @enum {string} */
            readonly kind: "binary" | "regression" | "multiclass";
            /** @enum {string} */
            readonly metric: "auroc" | "average_precision" | "kolmogorov_smirnov" | "log_loss" | "brier" | "accuracy" | "f1" | "mae" | "rmse" | "r2" | "multiclass_accuracy" | "multiclass_macro_f1" | "multiclass_log_loss";
            readonly judged: components["schemas"]["ValidationRows"];
            readonly model: components["schemas"]["EvaluationMeasures"] | null;
            readonly compare_with: components["schemas"]["EvaluationMeasures"] | null;
            readonly gains: components["schemas"]["ValidationGains"] | null;
            readonly months: readonly components["schemas"]["ValidationPart"][];
            readonly segments: readonly components["schemas"]["ValidationSegment"][];
            readonly bands: readonly components["schemas"]["ValidationBand"][];
            readonly present: components["schemas"]["ValidationPresent"] | null;
            readonly shadow?: components["schemas"]["ValidationShadow"] | null;
            readonly missing: readonly components["schemas"]["ValidationMissing"][];
            readonly replay: components["schemas"]["ValidationReplay"] | null;
            readonly latency: components["schemas"]["ValidationLatencies"] | null;
        };
        readonly ValidationRows: {
            /** @description The newest rows with a label that is known. */
            readonly labelled: number;
            /** @description Those of them that flatter neither version. */
            readonly rows: number;
            readonly positives: number | null;
            readonly model: components["schemas"]["ValidationSources"];
            readonly compare_with: components["schemas"]["ValidationSources"] | null;
            readonly from: string | null;
            readonly until: string | null;
        };
        readonly ValidationSegment: {
            readonly column: string;
            readonly values: readonly components["schemas"]["ValidationPart"][];
        };
        /** @description Of the newest 20000 questions of callers within 30 days that it answered in the shadow of the version before; null where it answered none. */
        readonly ValidationShadow: {
            readonly answered: number;
            /** @description Questions that it would refuse, beside those. */
            readonly refused: number;
            readonly from: string;
            readonly until: string;
            readonly stability_index: number | null;
            readonly largest_distance: number | null;
            readonly rank_correlation: number | null;
        };
        readonly ValidationSinceJudged: {
            readonly model: number | null;
            readonly compare_with: number | null;
            readonly beside?: number | null;
        };
        readonly ValidationSources: {
            /** @description Later than every label that the version learned from. */
            readonly later: number;
            /** @description Predicted in training by models of folds that had not learned from them. */
            readonly held_out: number;
            /** @description Of the time of those, and not among the labels that it learned from. */
            readonly unlearned: number;
        };
        readonly VersionApproval: {
            readonly id: string;
            readonly model_id: string;
            readonly version_id: string;
            readonly alias: string;
            readonly approved_by: string;
            readonly comment: string | null;
            readonly created_at: string;
        };
        readonly VersionApprovalRequest: {
            readonly alias: string;
            readonly comment?: string;
        };
        readonly VersionApprovals: {
            readonly data: readonly components["schemas"]["VersionApproval"][];
        };
        readonly WarningCarrier: {
            /** @description table.column, or a table whose rows are counted. */
            readonly at: string;
            /** @description Share of the model's gain, 0 to 1. */
            readonly importance: number;
            readonly description: string | null;
        };
        readonly WatchList: {
            readonly id: string;
            readonly name: string;
            readonly model_id: string;
            readonly alias: string;
            readonly alias_version_id: string | null;
            /** @description Whose keys the entries are. */
            readonly table: string;
            /** @description Whether the keys say who people are. */
            readonly is_personal: boolean;
            readonly threshold: (components["schemas"]["MoveByDifference"] | components["schemas"]["MoveByShare"]) | null;
            readonly field: string | null;
            readonly entries: components["schemas"]["WatchListCounts"];
            readonly moves: number;
            readonly last_moved_at: string | null;
            readonly version_id: string | null;
            readonly snapshot_id: string | null;
            readonly as_of: string | null;
            /** @description Whether a rescoring is under way, or begins soon: of a new day, version or state of the data. */
            readonly is_due: boolean;
            readonly failure: components["schemas"]["JobFailure"] | null;
            readonly created_by: string;
            readonly created_at: string;
        };
        readonly WatchListChange: {
            readonly name?: string;
            readonly alias?: string;
            /** @description By how much a score must differ from the one that was told last to have moved: in its own unit, or as a share of that one. Null: who goes to another band, or class, has moved. By default null where the model has bands or classes, else a difference of 0.1 of probabilities, and a share of 0.2 of numbers. */
            readonly threshold?: components["schemas"]["MoveByDifference"] | components["schemas"]["MoveByShare"] | null;
        };
        readonly WatchListCounts: {
            readonly total: number;
            readonly scored: number;
            /** @description Whom the data do not have. Once they do, they are scored. */
            readonly unknown: number;
            /** @description What cannot be a key of the table. */
            readonly refused: number;
            /** @description Not looked at yet. */
            readonly waiting: number;
        };
        readonly WatchListEntry: {
            readonly id: string;
            readonly key: string;
            /**
             * @description waiting: not looked at yet; unknown: the data do not have it, or do not have it yet; refused: it cannot be a key of the table.
             * @enum {string}
             */
            readonly status: "waiting" | "scored" | "unknown" | "refused";
            readonly score: number | null;
            readonly band: string | null;
            readonly as_of: string | null;
            readonly told: components["schemas"]["ToldScore"] | null;
            /** @description Its newest 20 scores that differ from the one before, oldest first. */
            readonly history: readonly components["schemas"]["ScorePoint"][];
            readonly created_at: string;
        };
        readonly WatchListEntryPage: {
            readonly data: readonly components["schemas"]["WatchListEntry"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly WatchListKeys: {
            /** @description Keys of entities; at most 10000 at once. */
            readonly keys: readonly (string | number)[];
        };
        readonly WatchListMove: {
            readonly id: string;
            readonly entry_id: string;
            readonly key: string;
            /** @description The moment of the rescoring that found it. */
            readonly at: string;
            readonly from: components["schemas"]["MovedFrom"];
            readonly to: components["schemas"]["MovedTo"];
            /**
             * @description What was otherwise than at the rescoring before. version: the alias points at another version, so that it need not be the entity that has changed; data: newer data, by the same version; time: neither, but another day.
             * @enum {string}
             */
            readonly because: "data" | "time" | "version";
            readonly from_version_id: string;
            readonly version_id: string;
            readonly snapshot_id: string;
        };
        readonly WatchListMovePage: {
            readonly data: readonly components["schemas"]["WatchListMove"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly WatchListPage: {
            readonly data: readonly components["schemas"]["WatchList"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
            readonly total?: components["schemas"]["Total"];
        };
        readonly WatchListRequest: {
            readonly name: string;
            /** @description The alias that scores: "<model>/<alias>", or its parts. */
            readonly model: string | components["schemas"]["TargetByParts"];
            /** @description By how much a score must differ from the one that was told last to have moved: in its own unit, or as a share of that one. Null: who goes to another band, or class, has moved. By default null where the model has bands or classes, else a difference of 0.1 of probabilities, and a share of 0.2 of numbers. */
            readonly threshold?: components["schemas"]["MoveByDifference"] | components["schemas"]["MoveByShare"] | null;
            /** @description Keys of entities; at most 10000 at once. */
            readonly keys?: readonly (string | number)[];
        };
        readonly Webhook: {
            readonly id: string;
            readonly url: string;
            readonly description: string | null;
            readonly events: readonly string[];
            readonly resource_ids: readonly string[] | null;
            /** @description Its own headers; their values are shown to nobody. */
            readonly header_names: readonly string[];
            readonly rate_limit: number | null;
            readonly status: "active" | "disabled";
            readonly disabled_reason: string | null;
            readonly disabled_at: string | null;
            /** @description By which requests are signed, the newest first. */
            readonly secrets: readonly components["schemas"]["WebhookSecret"][];
            readonly created_at: string;
            readonly updated_at: string;
        };
        readonly WebhookAttempt: {
            readonly number: number;
            readonly started_at: string;
            readonly finished_at: string;
            readonly succeeded: boolean;
            /** @description As it was at that moment. */
            readonly url: string;
            readonly remote_ip: string | null;
            readonly dns_ms: number | null;
            readonly connect_ms: number | null;
            readonly tls_ms: number | null;
            readonly first_byte_ms: number | null;
            readonly total_ms: number;
            readonly status_code: number | null;
            readonly error_class: string | null;
            readonly error: string | null;
            readonly response_headers: {
                readonly [key: string]: string;
            } | null;
            readonly response_body: string | null;
        };
        readonly WebhookChange: {
            /** @description Where requests are sent: https, to a public address, and to no port of another kind of service. */
            readonly url?: string;
            /** @description Names of events, such as batch-lifecycle; * for all, model-version-* for all that begin so. */
            readonly events?: readonly string[];
            readonly description?: string | null;
            readonly resource_ids?: readonly string[] | null;
            readonly headers?: {
                readonly [key: string]: string;
            } | null;
            readonly rate_limit?: number | null;
            readonly status?: "active" | "disabled";
        };
        readonly WebhookDelivery: {
            readonly id: string;
            readonly webhook_id: string;
            /** @description What requests carry as webhook-id: the same whenever it is sent again. */
            readonly message_id: string;
            readonly event_id: string;
            readonly event_type: string;
            /** @enum {string} */
            readonly trigger: "auto" | "manual" | "recover" | "test";
            readonly replay_of: string | null;
            readonly recovery_id: string | null;
            /**
             * @description `skipped`: the webhook was disabled, or too much waited for it; it can be replayed. `canceled`: it was deleted.
             * @enum {string}
             */
            readonly status: "queued" | "running" | "succeeded" | "failed" | "skipped" | "canceled";
            readonly attempt_count: number;
            readonly next_attempt_at: string | null;
            readonly created_at: string;
            readonly finished_at: string | null;
        };
        readonly WebhookDeliveryDetail: {
            readonly id: string;
            readonly webhook_id: string;
            /** @description What requests carry as webhook-id: the same whenever it is sent again. */
            readonly message_id: string;
            readonly event_id: string;
            readonly event_type: string;
            /** @enum {string} */
            readonly trigger: "auto" | "manual" | "recover" | "test";
            readonly replay_of: string | null;
            readonly recovery_id: string | null;
            /**
             * @description `skipped`: the webhook was disabled, or too much waited for it; it can be replayed. `canceled`: it was deleted.
             * @enum {string}
             */
            readonly status: "queued" | "running" | "succeeded" | "failed" | "skipped" | "canceled";
            readonly attempt_count: number;
            readonly next_attempt_at: string | null;
            readonly created_at: string;
            readonly finished_at: string | null;
            readonly body: string | null;
            readonly attempts: readonly components["schemas"]["WebhookAttempt"][];
        };
        readonly WebhookDeliveryPage: {
            readonly data: readonly components["schemas"]["WebhookDelivery"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly WebhookPage: {
            readonly data: readonly components["schemas"]["Webhook"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly WebhookRecovery: {
            readonly id: string | null;
            readonly webhook_id: string;
            readonly since: string;
            readonly until: string;
            /** @enum {string} */
            readonly status: "queued" | "running" | "succeeded" | "failed" | "dry_run";
            /** @description Deliveries that never arrived, as counted when it was asked for. */
            readonly total: number;
            /** @description Those that have been made ready to be sent again so far. */
            readonly queued: number;
            /** @description Those that cannot be sent again: their bytes are no longer kept. */
            readonly expired: number;
            readonly failure: components["schemas"]["JobFailure"] | null;
            readonly created_at: string | null;
            readonly finished_at: string | null;
        };
        readonly WebhookRecoveryPage: {
            readonly data: readonly components["schemas"]["WebhookRecovery"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly WebhookRecoveryRequest: {
            /** @description RFC 3339. */
            readonly since: string;
            /** @description RFC 3339: before that moment; now by default. */
            readonly until?: string;
            readonly dry_run?: boolean;
        };
        readonly WebhookRequest: {
            /** @description Where requests are sent: https, to a public address, and to no port of another kind of service. */
            readonly url: string;
            /** @description Names of events, such as batch-lifecycle; * for all, model-version-* for all that begin so. */
            readonly events: readonly string[];
            readonly description?: string | null;
            readonly resource_ids?: readonly string[] | null;
            readonly headers?: {
                readonly [key: string]: string;
            } | null;
            readonly rate_limit?: number | null;
        };
        readonly WebhookRotation: {
            /** @description How long requests are signed by the secret before as well: 24 by default, 0 to end it at once. */
            readonly overlap_hours?: number;
        };
        readonly WebhookSecret: {
            readonly id: string;
            readonly created_at: string;
            readonly expires_at: string | null;
        };
        readonly Workspace: {
            readonly id: string;
            readonly name: string;
            readonly status: "active" | "archived";
            /** @description In which its days begin and end. */
            readonly time_zone: string;
            /** @description Of the reasons of its predictions, and of its mails. */
            readonly language: string;
            readonly created_at: string;
        };
        readonly WorkspaceChange: {
            readonly name?: string;
            /** @description Of the IANA list: America/Sao_Paulo. */
            readonly time_zone?: string;
            readonly language?: "en" | "pt-BR";
        };
        readonly WorkspacePage: {
            readonly data: readonly components["schemas"]["Workspace"][];
            readonly next_cursor: string | null;
            readonly has_more: boolean;
        };
        readonly WorkspaceRequest: {
            readonly name: string;
            /** @description Of the IANA list: America/Sao_Paulo. */
            readonly time_zone?: string;
            readonly language?: "en" | "pt-BR";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    readonly "health.checkAlive": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    readonly "health.checkReady": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Health"];
                };
            };
        };
    };
    readonly "health.getMetrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/plain": unknown;
                };
            };
        };
    };
    readonly "files.upload": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UploadRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Upload"];
                };
            };
        };
    };
    readonly "files.uploadProgress": {
        readonly parameters: {
            readonly query: {
                readonly by: string;
                readonly expires: string;
                readonly signature: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UploadProgress"];
                };
            };
        };
    };
    readonly "files.receive": {
        readonly parameters: {
            readonly query: {
                readonly by: string;
                readonly expires: string;
                readonly signature: string;
            };
            readonly header: {
                /** @description As declared; Content-Type too. */
                readonly "Content-MD5": string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "*/*": unknown;
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["File"];
                };
            };
        };
    };
    readonly "files.receiveAtOffset": {
        readonly parameters: {
            readonly query: {
                readonly by: string;
                readonly expires: string;
                readonly signature: string;
            };
            readonly header: {
                /** @description The place in the file at which the part begins: as many bytes as have arrived. */
                readonly "Upload-Offset": string;
                /** @description How many bytes the file has, unless it was declared with them. */
                readonly "Upload-Length"?: string;
                /** @description The version of tus, 1.0.0, where the client speaks it. */
                readonly "Tus-Resumable"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "*/*": unknown;
            };
        };
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "files.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
                readonly status?: "awaiting_upload" | "uploaded" | "deleted";
                readonly path?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FilePage"];
                };
            };
        };
    };
    readonly "files.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["File"];
                };
            };
        };
    };
    readonly "files.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["File"];
                };
            };
        };
    };
    readonly "files.download": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description One range of bytes. */
                readonly Range?: string;
                /** @description The ETag that the range is of. */
                readonly "If-Range"?: string;
                /** @description ETags, or *: go on only if it is none of these. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Partial Content */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Not Modified */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "contracts.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ContractPage"];
                };
            };
        };
    };
    readonly "contracts.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ContractRequest"];
                readonly "multipart/form-data": components["schemas"]["ContractParts"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ContractProposal"];
                };
            };
        };
    };
    readonly "contracts.accept": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AcceptedContract"];
                };
            };
        };
    };
    readonly "contracts.reject": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Contract"];
                };
            };
        };
    };
    readonly "contracts.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Contract"];
                };
            };
        };
    };
    readonly "ingestions.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IngestionPage"];
                };
            };
        };
    };
    readonly "ingestions.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["IngestionRequest"];
                readonly "multipart/form-data": components["schemas"]["IngestionParts"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Ingestion"];
                };
            };
        };
    };
    readonly "ingestions.get": {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds that the answer may wait for the end; it comes at once when that is reached. */
                readonly wait?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Ingestion"];
                };
            };
        };
    };
    readonly "ingestions.interrupt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Ingestion"];
                };
            };
        };
    };
    readonly "ingestions.getDeviations": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IngestionDeviations"];
                };
            };
        };
    };
    readonly "tables.listRows": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description The rows with this key alone; of a key of several columns, the first of them. Some 30 million rows are looked through for a page: one that has_more and fewer rows than asked for goes on after these. Keys that say who people are find nothing: ask for the entity. */
                readonly key?: string;
                /** @description The same by how the key begins. */
                readonly key_prefix?: string;
                /** @description newest, oldest: of the whole table by the column that dates its rows; those without a date are left out. For tables that have such a column and came in 1,024 files at most. */
                readonly order?: "arrival" | "newest" | "oldest";
            };
            readonly header?: never;
            readonly path: {
                /** @description Its name in the contract. */
                readonly table: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TableRows"];
                };
            };
        };
    };
    readonly "erasures.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErasurePage"];
                };
            };
        };
    };
    readonly "erasures.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ErasureRequest"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    readonly "erasures.get": {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds that the answer may wait for the end; it comes at once when that is reached. */
                readonly wait?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    readonly "erasures.interrupt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Erasure"];
                };
            };
        };
    };
    readonly "tasks.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TaskPage"];
                };
            };
        };
    };
    readonly "tasks.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TaskRequest"];
                readonly "multipart/form-data": components["schemas"]["TaskParts"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    readonly "tasks.checkDefinition": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DefinitionRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReadDefinition"];
                };
            };
        };
    };
    readonly "tasks.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Task"];
                };
            };
        };
    };
    readonly "tasks.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "tasks.countLabels": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CountedLabels"];
                };
            };
        };
    };
    readonly "trainingRuns.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TrainingRunPage"];
                };
            };
        };
    };
    readonly "trainingRuns.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TrainingRunRequest"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TrainingRun"];
                };
            };
        };
    };
    readonly "trainingRuns.get": {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds that the answer may wait for the end; it comes at once when that is reached. */
                readonly wait?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TrainingRun"];
                };
            };
        };
    };
    readonly "trainingRuns.watch": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": unknown;
                };
            };
        };
    };
    readonly "trainingRuns.interrupt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TrainingRun"];
                };
            };
        };
    };
    readonly "models.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelPage"];
                };
            };
        };
    };
    readonly "models.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Model"];
                };
            };
        };
    };
    readonly "models.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "modelVersions.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelVersionSummaryPage"];
                };
            };
        };
    };
    readonly "modelVersions.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description Id or number of a version, or an alias that points at it. */
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelVersion"];
                };
            };
        };
    };
    readonly "modelVersions.listFeatures": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description Of descriptions; that of the workspace by default. */
                readonly language?: "en" | "pt-BR";
            };
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description Id or number of a version, or an alias that points at it. */
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelFeaturePage"];
                };
            };
        };
    };
    readonly "modelVersions.getMetrics": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description Id or number of a version, or an alias that points at it. */
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelMetrics"];
                };
            };
        };
    };
    readonly "modelVersions.getLabelledFile": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description Id or number of a version, or an alias that points at it. */
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["LabelledFile"];
                };
            };
        };
    };
    readonly "modelGates.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelGates"];
                };
            };
        };
    };
    readonly "modelGates.set": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ModelGatesRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelGates"];
                };
            };
        };
    };
    readonly "modelApprovals.list": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description Id or number of a version, or an alias that points at it. */
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VersionApprovals"];
                };
            };
        };
    };
    readonly "modelApprovals.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description Id or number of a version, or an alias that points at it. */
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["VersionApprovalRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["VersionApproval"];
                };
            };
        };
    };
    readonly "modelVersions.activate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelVersion"];
                };
            };
        };
    };
    readonly "modelVersions.deactivate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelVersion"];
                };
            };
        };
    };
    readonly "aliases.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                readonly alias: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Alias"];
                };
            };
        };
    };
    readonly "aliases.set": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description ETags, or *: change it only if it is one of these. */
                readonly "If-Match"?: string;
                /** @description ETags, or *: go on only if it is none of these. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                readonly alias: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AliasRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SetAlias"];
                };
            };
        };
    };
    readonly "aliases.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description ETags, or *: change it only if it is one of these. */
                readonly "If-Match"?: string;
                /** @description ETags, or *: go on only if it is none of these. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                readonly alias: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "aliasSplits.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                readonly alias: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AliasSplit"];
                };
            };
        };
    };
    readonly "aliasSplits.set": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                readonly alias: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AliasSplitRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AliasSplit"];
                };
            };
        };
    };
    readonly "aliasSplits.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                readonly alias: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "modelVersions.getDocument": {
        readonly parameters: {
            readonly query?: {
                readonly format?: "markdown" | "html";
                /** @description Of the document; that of the workspace by default. */
                readonly language?: "en" | "pt-BR";
                /** @description Columns whose values are told apart, comma-separated: by the newest evaluation of the version that has each. Those of its newest evaluation by default. */
                readonly segments?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description Id or number of a version, or an alias that points at it. */
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/markdown": unknown;
                };
            };
        };
    };
    readonly "models.getMonitoring": {
        readonly parameters: {
            readonly query?: {
                /** @description Id or number of a version, or an alias that points at it; by default production, or the newest. */
                readonly version?: string;
                /** @description The first day of the series; by default 90 days before until. */
                readonly from?: string;
                /** @description The last day of the series; by default today. */
                readonly until?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelMonitoring"];
                };
            };
        };
    };
    readonly "models.listAlarms": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description Id or number of a version, or an alias that points at it; by default those of all. */
                readonly version?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ModelAlarmPage"];
                };
            };
        };
    };
    readonly "monitors.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Monitor"];
                };
            };
        };
    };
    readonly "monitors.set": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description ETags, or *: change it only if it is one of these. */
                readonly "If-Match"?: string;
            };
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MonitorRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Monitor"];
                };
            };
        };
    };
    readonly "rfmVersions.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
                readonly entity?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RfmVersionPage"];
                };
            };
        };
    };
    readonly "rfmVersions.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RfmVersion"];
                };
            };
        };
    };
    readonly "rfmVersions.export": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/zip": unknown;
                };
            };
        };
    };
    readonly "gfmVersions.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GfmVersionPage"];
                };
            };
        };
    };
    readonly "gfmVersions.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GfmVersion"];
                };
            };
        };
    };
    readonly "gfmVersions.adopt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GfmVersion"];
                };
            };
        };
    };
    readonly "embeddings.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EmbeddingsRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Embeddings"];
                };
            };
        };
    };
    readonly "embeddings.findNeighbors": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NeighborsRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Neighbors"];
                };
            };
        };
    };
    readonly "embeddings.getMap": {
        readonly parameters: {
            readonly query?: {
                /** @description The table of the entities; not needed where one table alone has an encoder. */
                readonly entity?: string;
                /** @description Another version than the newest of the table. */
                readonly rfm_version_id?: string;
                /** @description As of the end of this day; of now by default. */
                readonly reference_date?: string;
                /** @description At most so many entities, drawn evenly, the same each time; 1000 by default. */
                readonly limit?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EmbeddingMap"];
                };
            };
        };
    };
    readonly "entities.find": {
        readonly parameters: {
            readonly query?: {
                /** @description The table; by default all tables of entities. */
                readonly table?: string;
                /** @description What keys begin with. */
                readonly query?: string;
                readonly limit?: number;
                /** @description As of the end of this day; of now by default. */
                readonly reference_date?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Entities"];
                };
            };
        };
    };
    readonly "entities.get": {
        readonly parameters: {
            readonly query?: {
                /** @description As of the end of this day; of now by default. */
                readonly reference_date?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The table of the entity. */
                readonly table: string;
                /** @description Its key, as the tables have it. */
                readonly key: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Entity"];
                };
            };
        };
    };
    readonly "entities.getNetwork": {
        readonly parameters: {
            readonly query?: {
                /** @description How many ties away; 1 by default. */
                readonly hops?: number;
                /** @description As of the end of this day; of now by default. */
                readonly reference_date?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The table of the entity. */
                readonly table: string;
                /** @description Its key, as the tables have it. */
                readonly key: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Network"];
                };
            };
        };
    };
    readonly "entities.getPath": {
        readonly parameters: {
            readonly query?: {
                /** @description At most so many ties; 4 by default. */
                readonly hops?: number;
                /** @description As of the end of this day; of now by default. */
                readonly reference_date?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description The table of the entity. */
                readonly table: string;
                /** @description Its key, as the tables have it. */
                readonly key: string;
                /** @description The key of the other entity, of the same table. */
                readonly to: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NetworkPath"];
                };
            };
        };
    };
    readonly "entities.reveal": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description The table of the entity. */
                readonly table: string;
                /** @description Its key, as the tables have it. */
                readonly key: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "predictions.create": {
        readonly parameters: {
            readonly query?: {
                /** @description Comma-separated; of: explanation, interval, unknown. */
                readonly include?: string;
                /** @description Of the sentences of the answer, which then says it; that of the workspace by default. */
                readonly language?: "en" | "pt-BR";
                /** @description Answer from this snapshot, as an ingestion names it, or a newer one, and wait until it is open. Without it the answer comes from the newest that is open. */
                readonly snapshot_id?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description An alias such as production, or a version id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        /** @description Inputs by name, as GET /v1/api/models/{model_id}/versions/{version_id} declares them. */
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PredictionRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PredictionAnswer"];
                };
            };
        };
    };
    readonly "predictions.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
                /** @description Id or name of a model. */
                readonly model_id?: string;
                readonly version_id?: string;
                /** @description The alias by which they were asked for. */
                readonly alias?: string;
                /** @description Such as Low Risk, where answers have a risk_band. */
                readonly band?: string;
                readonly channel?: "api" | "dashboard";
                /** @description With key: the table of whom they are about. */
                readonly entity?: string;
                /** @description The key of whom they are about. */
                readonly key?: string;
                /** @description Those that were answered from data with rows of this file. */
                readonly file_id?: string;
                /** @description RFC 3339: those that were answered at that moment or later. */
                readonly from?: string;
                /** @description RFC 3339: those that were answered before that moment. */
                readonly to?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PredictionPage"];
                };
            };
        };
    };
    readonly "predictions.getStatistics": {
        readonly parameters: {
            readonly query?: {
                readonly bucket?: "hour" | "day" | "all";
                /** @description Id or name of a model. */
                readonly model_id?: string;
                readonly version_id?: string;
                /** @description The alias by which they were asked for. */
                readonly alias?: string;
                /** @description Such as Low Risk, where answers have a risk_band. */
                readonly band?: string;
                readonly channel?: "api" | "dashboard";
                /** @description With key: the table of whom they are about. */
                readonly entity?: string;
                /** @description The key of whom they are about. */
                readonly key?: string;
                /** @description Those that were answered from data with rows of this file. */
                readonly file_id?: string;
                /** @description RFC 3339: those that were answered at that moment or later. */
                readonly from?: string;
                /** @description RFC 3339: those that were answered before that moment. */
                readonly to?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PredictionStatistics"];
                };
            };
        };
    };
    readonly "predictions.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Prediction"];
                };
            };
        };
    };
    readonly "predictions.reveal": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "counterfactuals.find": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description An alias such as production, or a version id. */
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CounterfactualRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Counterfactuals"];
                };
            };
        };
    };
    readonly "predictions.getLineage": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description Its code, as in explanation. */
                readonly factor?: string;
                /** @description That of the workspace by default. */
                readonly language?: "en" | "pt-BR";
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PredictionLineage"];
                };
            };
        };
    };
    readonly "files.getLineage": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FileLineage"];
                };
            };
        };
    };
    readonly "outcomes.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
                readonly prediction_id?: string;
                /** @description Id or name of a model. */
                readonly model_id?: string;
                readonly version_id?: string;
                readonly output?: string;
                readonly source?: "api" | "tables";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["OutcomePage"];
                };
            };
        };
    };
    readonly "outcomes.send": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OutcomesRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RecordedOutcomes"];
                };
            };
        };
    };
    readonly "outcomes.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Outcome"];
                };
            };
        };
    };
    readonly "watchLists.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WatchListPage"];
                };
            };
        };
    };
    readonly "watchLists.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WatchListRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WatchList"];
                };
            };
        };
    };
    readonly "watchLists.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WatchList"];
                };
            };
        };
    };
    readonly "watchLists.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "watchLists.update": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WatchListChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WatchList"];
                };
            };
        };
    };
    readonly "watchLists.listEntries": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
                readonly status?: "waiting" | "scored" | "unknown" | "refused";
                /** @description Those in this band, or class. */
                readonly band?: string;
                /** @description The one with this key. */
                readonly key?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WatchListEntryPage"];
                };
            };
        };
    };
    readonly "watchLists.setEntries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WatchListKeys"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WatchList"];
                };
            };
        };
    };
    readonly "watchLists.addEntries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WatchListKeys"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WatchList"];
                };
            };
        };
    };
    readonly "watchLists.removeEntries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WatchListKeys"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WatchList"];
                };
            };
        };
    };
    readonly "watchLists.listMoves": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
                /** @description Those of one entry. */
                readonly entry_id?: string;
                readonly because?: "data" | "time" | "version";
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WatchListMovePage"];
                };
            };
        };
    };
    readonly "batches.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
                readonly status?: "queued" | "running" | "succeeded" | "failed";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchPage"];
                };
            };
        };
    };
    readonly "batches.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["BatchRequest"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    readonly "batches.get": {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds that the answer may wait for the end; it comes at once when that is reached. */
                readonly wait?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    readonly "batches.interrupt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    readonly "batches.listErrors": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchErrorPage"];
                };
            };
        };
    };
    readonly "batches.listWarnings": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchRowWarningPage"];
                };
            };
        };
    };
    readonly "batches.getResult": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchResult"];
                };
            };
        };
    };
    readonly "batches.deleteResult": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    readonly "batches.downloadFile": {
        readonly parameters: {
            readonly query: {
                readonly by: string;
                readonly expires: string;
                readonly signature: string;
            };
            readonly header?: {
                /** @description One range of bytes. */
                readonly Range?: string;
                /** @description The ETag that the range is of. */
                readonly "If-Range"?: string;
                /** @description ETags, or *: go on only if it is none of these. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly id: string;
                readonly position: number;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Partial Content */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Not Modified */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "batches.listResultRows": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description The input whose rows are told; left out, the first that has a result. */
                readonly file_id?: string;
                /** @description A column of the file by whose numbers the rows are ordered, such as score; rows without one are the last. Left out, they are in the order of the file. */
                readonly order_by?: string;
                /** @description Of order_by. */
                readonly order?: "descending" | "ascending";
                /** @description The rows of this band alone, such as High Risk. */
                readonly risk_band?: string;
                /** @description The rows with this code in the column warnings alone, such as stale_data, or with any (any); for a batch that was asked to include it. */
                readonly warning?: string;
                /** @description true: the rows alone of whom something is known; false: those of whom nothing is (`data_coverage` none). */
                readonly known?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchResultRows"];
                };
            };
        };
    };
    readonly "batches.downloadArchive": {
        readonly parameters: {
            readonly query: {
                readonly by: string;
                readonly expires: string;
                readonly signature: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/zip": unknown;
                };
            };
        };
    };
    readonly "evaluations.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EvaluationPage"];
                };
            };
        };
    };
    readonly "evaluations.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EvaluationRequest"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Evaluation"];
                };
            };
        };
    };
    readonly "evaluations.get": {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds that the answer may wait for the end; it comes at once when that is reached. */
                readonly wait?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Evaluation"];
                };
            };
        };
    };
    readonly "evaluations.interrupt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Evaluation"];
                };
            };
        };
    };
    readonly "backtests.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BacktestPage"];
                };
            };
        };
    };
    readonly "backtests.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["BacktestRequest"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Backtest"];
                };
            };
        };
    };
    readonly "backtests.get": {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds that the answer may wait for the end; it comes at once when that is reached. */
                readonly wait?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Backtest"];
                };
            };
        };
    };
    readonly "backtests.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "modelVersions.listBacktests": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description Id or number of a version, or an alias that points at it. */
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BacktestPage"];
                };
            };
        };
    };
    readonly "backtests.interrupt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Backtest"];
                };
            };
        };
    };
    readonly "shadows.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ListedShadowPage"];
                };
            };
        };
    };
    readonly "shadows.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Shadow"];
                };
            };
        };
    };
    readonly "shadows.set": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ShadowRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Shadow"];
                };
            };
        };
    };
    readonly "shadows.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "predictions.replay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PredictionReplay"];
                };
            };
        };
    };
    readonly "replays.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReplayPage"];
                };
            };
        };
    };
    readonly "replays.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ReplayRequest"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Replay"];
                };
            };
        };
    };
    readonly "replays.get": {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds that the answer may wait for the end; it comes at once when that is reached. */
                readonly wait?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Replay"];
                };
            };
        };
    };
    readonly "replays.interrupt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Replay"];
                };
            };
        };
    };
    readonly "modelValidations.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description Id or number of a version, or an alias that points at it. */
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ValidationPage"];
                };
            };
        };
    };
    readonly "modelValidations.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description Id or number of a version, or an alias that points at it. */
                readonly version_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ValidationRequest"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Validation"];
                };
            };
        };
    };
    readonly "modelValidations.get": {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds that the answer may wait for the end; it comes at once when that is reached. */
                readonly wait?: number;
            };
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description Id or number of a version, or an alias that points at it. */
                readonly version_id: string;
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Validation"];
                };
            };
        };
    };
    readonly "modelValidations.interrupt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                /** @description Id or name of a model. */
                readonly model_id: string;
                /** @description Id or number of a version, or an alias that points at it. */
                readonly version_id: string;
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Validation"];
                };
            };
        };
    };
    readonly "batchesV1.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
                readonly status?: "queued" | "running" | "succeeded" | "failed";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchPage"];
                };
            };
        };
    };
    readonly "batchesV1.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["BatchRequest"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    readonly "batchesV1.get": {
        readonly parameters: {
            readonly query?: {
                /** @description Seconds that the answer may wait for the end; it comes at once when that is reached. */
                readonly wait?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    readonly "batchesV1.interrupt": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    readonly "batchesV1.listErrors": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchErrorPage"];
                };
            };
        };
    };
    readonly "batchesV1.listWarnings": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchRowWarningPage"];
                };
            };
        };
    };
    readonly "batchesV1.getResult": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchResult"];
                };
            };
        };
    };
    readonly "batchesV1.deleteResult": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Batch"];
                };
            };
        };
    };
    readonly "batchesV1.listResultRows": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description The input whose rows are told; left out, the first that has a result. */
                readonly file_id?: string;
                /** @description A column of the file by whose numbers the rows are ordered, such as score; rows without one are the last. Left out, they are in the order of the file. */
                readonly order_by?: string;
                /** @description Of order_by. */
                readonly order?: "descending" | "ascending";
                /** @description The rows of this band alone, such as High Risk. */
                readonly risk_band?: string;
                /** @description The rows with this code in the column warnings alone, such as stale_data, or with any (any); for a batch that was asked to include it. */
                readonly warning?: string;
                /** @description true: the rows alone of whom something is known; false: those of whom nothing is (`data_coverage` none). */
                readonly known?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchResultRows"];
                };
            };
        };
    };
    readonly "batchInputsV1.upload": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UploadRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Upload"];
                };
            };
        };
    };
    readonly "batchInputsV1.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true: the answer says in total how many entries the list has, up to 10000. */
                readonly count?: boolean;
                readonly status?: "awaiting_upload" | "uploaded" | "deleted";
                readonly path?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FilePage"];
                };
            };
        };
    };
    readonly "batchInputsV1.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["File"];
                };
            };
        };
    };
    readonly "batchInputsV1.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["File"];
                };
            };
        };
    };
    readonly "batchInputsV1.download": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description One range of bytes. */
                readonly Range?: string;
                /** @description The ETag that the range is of. */
                readonly "If-Range"?: string;
                /** @description ETags, or *: go on only if it is none of these. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Partial Content */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Not Modified */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "batchInputsV1.getLineage": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["FileLineage"];
                };
            };
        };
    };
    readonly "events.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description Comma-separated; of: batch-input-upload-request, batch-input-deletion, batch-request, batch-interrupt-request, batch-lifecycle, batch-result-download, batch-result-deletion, data-contract-version, data-contract-deviation, ingestion-lifecycle, erasure-lifecycle, object-damage, task-deletion, training-run-lifecycle, training-run-failure, evaluation-lifecycle, validation-lifecycle, model-version-validation, model-version-approval, model-gates-update, model-gates-override, backtest-lifecycle, backtest-deletion, model-deletion, model-version-creation, model-version-activation, model-version-deactivation, model-version-promotion, model-version-demotion, alias-split-update, alias-split-end, model-version-rollback, model-drift, model-performance, shadow-update, shadow-end, gfm-version-release, rfm-version-creation, replay-lifecycle, replay-difference, watch-list-move, embedding-request, workspace-creation, workspace-update, workspace-archival, workspace-unarchival, api-key-creation, api-key-deletion, api-key-recycling, api-key-renaming, sftp-user-creation, sftp-user-deletion, sftp-file-receipt, sftp-file-refusal, webhook-creation, webhook-update, webhook-deletion, webhook-secret-rotation, webhook-disablement, webhook-delivery-exhaustion, usage-limit-warning, usage-limit-reached, invoice-issuance, organization-creation, organization-update, organization-suspension, organization-resumption, organization-feature-update, price-plan-update, quota-update, ip-rule-creation, ip-rule-deletion, member-addition, member-role-update, member-removal, invitation-creation, invitation-resending, invitation-revocation, invitation-acceptance, user-creation, user-update, user-deletion, login, login-failure, device-addition, sso-authentication, break-glass-sign-in, sign-in-link-creation, session-revocation, second-factor-update, passkey-creation, passkey-renaming, passkey-deletion, password-update, domain-creation, domain-verification, domain-deletion, sso-connection-creation, sso-connection-update, sso-connection-activation, sso-connection-deactivation, sso-connection-deletion, break-glass-admin-addition, break-glass-admin-removal. Without it, all of them. */
                readonly type?: string;
                /** @description As events have it: batch, ingestion, training_run, … */
                readonly resource_type?: string;
                readonly resource_id?: string;
                /** @description The id of an event: what came after it. */
                readonly after?: string;
                /** @description RFC 3339: what happened at that moment or later. */
                readonly since?: string;
                /** @description true: what happened last leads. */
                readonly newest_first?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventPage"];
                };
            };
        };
    };
    readonly "events.watch": {
        readonly parameters: {
            readonly query?: {
                /** @description Comma-separated; of: batch-input-upload-request, batch-input-deletion, batch-request, batch-interrupt-request, batch-lifecycle, batch-result-download, batch-result-deletion, data-contract-version, data-contract-deviation, ingestion-lifecycle, erasure-lifecycle, object-damage, task-deletion, training-run-lifecycle, training-run-failure, evaluation-lifecycle, validation-lifecycle, model-version-validation, model-version-approval, model-gates-update, model-gates-override, backtest-lifecycle, backtest-deletion, model-deletion, model-version-creation, model-version-activation, model-version-deactivation, model-version-promotion, model-version-demotion, alias-split-update, alias-split-end, model-version-rollback, model-drift, model-performance, shadow-update, shadow-end, gfm-version-release, rfm-version-creation, replay-lifecycle, replay-difference, watch-list-move, embedding-request, workspace-creation, workspace-update, workspace-archival, workspace-unarchival, api-key-creation, api-key-deletion, api-key-recycling, api-key-renaming, sftp-user-creation, sftp-user-deletion, sftp-file-receipt, sftp-file-refusal, webhook-creation, webhook-update, webhook-deletion, webhook-secret-rotation, webhook-disablement, webhook-delivery-exhaustion, usage-limit-warning, usage-limit-reached, invoice-issuance, organization-creation, organization-update, organization-suspension, organization-resumption, organization-feature-update, price-plan-update, quota-update, ip-rule-creation, ip-rule-deletion, member-addition, member-role-update, member-removal, invitation-creation, invitation-resending, invitation-revocation, invitation-acceptance, user-creation, user-update, user-deletion, login, login-failure, device-addition, sso-authentication, break-glass-sign-in, sign-in-link-creation, session-revocation, second-factor-update, passkey-creation, passkey-renaming, passkey-deletion, password-update, domain-creation, domain-verification, domain-deletion, sso-connection-creation, sso-connection-update, sso-connection-activation, sso-connection-deactivation, sso-connection-deletion, break-glass-admin-addition, break-glass-admin-removal. Without it, all of them. */
                readonly type?: string;
                /** @description As events have it: batch, ingestion, training_run, … */
                readonly resource_type?: string;
                readonly resource_id?: string;
                /** @description The id of an event: what came after it. */
                readonly last_event_id?: string;
            };
            readonly header?: {
                /** @description The id of the last event that arrived: the stream goes on after it. */
                readonly "Last-Event-ID"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": unknown;
                };
            };
        };
    };
    readonly "events.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Event"];
                };
            };
        };
    };
    readonly "eventTypes.list": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventTypes"];
                };
            };
        };
    };
    readonly "eventTypes.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly name: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EventType"];
                };
            };
        };
    };
    readonly "notifications.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description true for what the inbox has not shown yet. */
                readonly unseen?: boolean;
                /** @description true for what is unread. */
                readonly unread?: boolean;
                /** @description true for what was put aside, which is left out otherwise. */
                readonly archived?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Inbox"];
                };
            };
        };
    };
    readonly "notifications.getCounts": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationCounts"];
                };
            };
        };
    };
    readonly "notifications.watch": {
        readonly parameters: {
            readonly query?: {
                /** @description The id of a notification: what came after it. */
                readonly last_event_id?: string;
            };
            readonly header?: {
                /** @description The id of the last event that arrived: the stream goes on after it. */
                readonly "Last-Event-ID"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/event-stream": unknown;
                };
            };
        };
    };
    readonly "notifications.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Notification"];
                };
            };
        };
    };
    readonly "notifications.markAllRead": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NotificationsRead"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationsMarked"];
                };
            };
        };
    };
    readonly "notifications.markSeen": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Notification"];
                };
            };
        };
    };
    readonly "notifications.markRead": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Notification"];
                };
            };
        };
    };
    readonly "notifications.markUnread": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Notification"];
                };
            };
        };
    };
    readonly "notifications.archive": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Notification"];
                };
            };
        };
    };
    readonly "notifications.unarchive": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Notification"];
                };
            };
        };
    };
    readonly "notificationPreferences.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
        };
    };
    readonly "notificationPreferences.update": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NotificationPreferencesChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
        };
    };
    readonly "notificationDefaults.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationDefaults"];
                };
            };
        };
    };
    readonly "notificationDefaults.update": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NotificationDefaultsChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationDefaults"];
                };
            };
        };
    };
    readonly "organizationNotificationPreferences.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
        };
    };
    readonly "organizationNotificationPreferences.update": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NotificationPreferencesChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationPreferences"];
                };
            };
        };
    };
    readonly "organizationNotificationDefaults.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationDefaults"];
                };
            };
        };
    };
    readonly "organizationNotificationDefaults.update": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NotificationDefaultsChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NotificationDefaults"];
                };
            };
        };
    };
    readonly "notificationMails.getUnsubscription": {
        readonly parameters: {
            readonly query: {
                readonly mail: string;
                readonly expires: string;
                readonly signature: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": unknown;
                };
            };
        };
    };
    readonly "notificationMails.unsubscribe": {
        readonly parameters: {
            readonly query: {
                readonly mail: string;
                readonly expires: string;
                readonly signature: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/x-www-form-urlencoded": components["schemas"]["OneClick"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": unknown;
                };
            };
        };
    };
    readonly "mailSuppressions.list": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MailSuppressions"];
                };
            };
        };
    };
    readonly "mailSuppressions.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "users.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignUpRequest"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "users.verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignUpVerification"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly "user.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly "user.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "user.update": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UserChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly "user.requestEmail": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EmailChange"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "user.verifyEmail": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["EmailVerification"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly "sessions.list": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Sessions"];
                };
            };
        };
    };
    readonly "sessions.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SignInRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SecondFactorChallenge"];
                };
            };
        };
    };
    readonly "sessions.endOthers": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["EndedSessions"];
                };
            };
        };
    };
    readonly "sessions.createWithSecondFactor": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SecondFactorProof"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly "sessions.createWithLink": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["LinkSignInRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly "sessions.end": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "session.end": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "session.reauthenticate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ReauthenticationRequest"];
            };
        };
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "passwordResets.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasswordResetRequest"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "passwordResets.confirm": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasswordResetConfirmation"];
            };
        };
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "user.setPassword": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewPassword"];
            };
        };
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "secondFactor.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SecondFactor"];
                };
            };
        };
    };
    readonly "secondFactor.createTotp": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TotpSecret"];
                };
            };
        };
    };
    readonly "secondFactor.removeTotp": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "secondFactor.confirmTotp": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["TotpConfirmation"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
    readonly "secondFactor.createRecoveryCodes": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
    readonly "passkeys.createOptions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PasskeyCreationOptions"];
                };
            };
        };
    };
    readonly "passkeys.list": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Passkeys"];
                };
            };
        };
    };
    readonly "passkeys.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasskeyRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Passkey"];
                };
            };
        };
    };
    readonly "passkeys.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "passkeys.rename": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["PasskeyChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Passkey"];
                };
            };
        };
    };
    readonly "sessions.createPasskeyOptions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
        };
    };
    readonly "sessions.createWithPasskey": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Assertion"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly "session.createPasskeyOptions": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PasskeyRequestOptions"];
                };
            };
        };
    };
    readonly "session.reauthenticateByPasskey": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["Assertion"];
            };
        };
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "organization.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    readonly "organization.update": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OrganizationChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Organization"];
                };
            };
        };
    };
    readonly "workspaces.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WorkspacePage"];
                };
            };
        };
    };
    readonly "workspaces.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WorkspaceRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    readonly "workspace.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    readonly "workspace.update": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WorkspaceChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Workspace"];
                };
            };
        };
    };
    readonly "workspace.archive": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "workspace.unarchive": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "setupSteps.list": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SetupSteps"];
                };
            };
        };
    };
    readonly "roles.list": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Roles"];
                };
            };
        };
    };
    readonly "members.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberPage"];
                };
            };
        };
    };
    readonly "members.downloadHistory": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": unknown;
                };
            };
        };
    };
    readonly "members.remove": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly user_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "members.setRole": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly user_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RoleChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    readonly "members.leave": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "organizationMembers.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MemberPage"];
                };
            };
        };
    };
    readonly "organizationMembers.downloadHistory": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": unknown;
                };
            };
        };
    };
    readonly "organizationMembers.remove": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly user_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "organizationMembers.setRole": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly user_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RoleChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    readonly "organizationMembers.leave": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "invitations.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationPage"];
                };
            };
        };
    };
    readonly "invitations.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["InvitationRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    readonly "invitations.resend": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    readonly "invitations.revoke": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    readonly "organizationInvitations.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvitationPage"];
                };
            };
        };
    };
    readonly "organizationInvitations.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["InvitationRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    readonly "organizationInvitations.resend": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    readonly "organizationInvitations.revoke": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    readonly "invitations.accept": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["InvitationAcceptance"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly "invitations.acceptAsNewcomer": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["NewcomerAcceptance"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    readonly "apiKeys.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
        };
    };
    readonly "apiKeys.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ApiKeyRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    readonly "apiKeys.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "apiKeys.rename": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ApiKeyChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    readonly "apiKeys.rotate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ApiKeyRotation"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewApiKey"];
                };
            };
        };
    };
    readonly "sftpFiles.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SftpFilePage"];
                };
            };
        };
    };
    readonly "sftpServer.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SftpServer"];
                };
            };
        };
    };
    readonly "sftpUsers.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SftpUserPage"];
                };
            };
        };
    };
    readonly "sftpUsers.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SftpUserRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewSftpUser"];
                };
            };
        };
    };
    readonly "sftpUsers.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "organizationIpRules.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IpRulePage"];
                };
            };
        };
    };
    readonly "organizationIpRules.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OrganizationIpRuleRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IpRule"];
                };
            };
        };
    };
    readonly "organizationIpRules.delete": {
        readonly parameters: {
            readonly query?: {
                /** @description true if you would not come in from your address any more, and mean it. */
                readonly confirm?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "ipRules.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description Only the rules of this key. */
                readonly api_key_id?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IpRulePage"];
                };
            };
        };
    };
    readonly "ipRules.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["IpRuleRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["IpRule"];
                };
            };
        };
    };
    readonly "ipRules.delete": {
        readonly parameters: {
            readonly query?: {
                /** @description true if you would not come in from your address any more, and mean it. */
                readonly confirm?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "domains.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DomainPage"];
                };
            };
        };
    };
    readonly "domains.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["DomainRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    readonly "domains.verify": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Domain"];
                };
            };
        };
    };
    readonly "domains.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "ssoConnections.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SsoConnectionPage"];
                };
            };
        };
    };
    readonly "ssoConnections.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SsoConnection"];
                };
            };
        };
    };
    readonly "ssoConnections.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "ssoConnections.update": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SsoConnectionChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SsoConnection"];
                };
            };
        };
    };
    readonly "ssoConnections.createOidc": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OidcConnectionRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SsoConnection"];
                };
            };
        };
    };
    readonly "ssoConnections.createSaml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SamlConnectionRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SsoConnection"];
                };
            };
        };
    };
    readonly "ssoConnections.activate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SsoConnection"];
                };
            };
        };
    };
    readonly "ssoConnections.deactivate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SsoConnection"];
                };
            };
        };
    };
    readonly "sessions.findSso": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SingleSignOnRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SingleSignOn"];
                };
            };
        };
    };
    readonly "ssoConnections.beginSignIn": {
        readonly parameters: {
            readonly query?: {
                /** @description A path of the service to go to in the end: / by default. */
                readonly return_to?: string;
                /** @description true has the person prove there anew who they are, for what is sensitive. */
                readonly reauthenticate?: boolean;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description See Other */
            readonly 303: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "ssoConnections.endOidc": {
        readonly parameters: {
            readonly query?: {
                readonly state?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description See Other */
            readonly 303: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "ssoConnections.receiveSaml": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/x-www-form-urlencoded": components["schemas"]["SamlAnswer"];
            };
        };
        readonly responses: {
            /** @description See Other */
            readonly 303: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "ssoConnections.endSaml": {
        readonly parameters: {
            readonly query: {
                readonly ticket: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description See Other */
            readonly 303: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "ssoConnections.getMetadata": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/samlmetadata+xml": unknown;
                };
            };
        };
    };
    readonly "breakGlassAdmins.list": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BreakGlassAdmins"];
                };
            };
        };
    };
    readonly "breakGlassAdmins.add": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly user_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BreakGlassAdmin"];
                };
            };
        };
    };
    readonly "breakGlassAdmins.remove": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly user_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "quotas.list": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["QuotaList"];
                };
            };
        };
    };
    readonly "usage.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description The first day, on the clocks of the workspace: 2026-01-01. */
                readonly from?: string;
                /** @description The last day, which is included. */
                readonly to?: string;
                readonly group_by?: "day" | "month" | "model" | "version" | "workspace" | "total";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UsagePage"];
                };
            };
        };
    };
    readonly "usageRecords.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description The first day, on the clocks of the workspace: 2026-01-01. */
                readonly from?: string;
                /** @description The last day, which is included. */
                readonly to?: string;
                readonly meter?: "predictions" | "batch_rows" | "embeddings" | "storage_megabyte_days" | "training_minutes" | "training_runs";
                readonly model_id?: string;
                readonly version_id?: string;
                /** @description Such as the id of a key. */
                readonly actor_id?: string;
                readonly channel?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UsageRecordPage"];
                };
            };
        };
    };
    readonly "usageRecords.export": {
        readonly parameters: {
            readonly query?: {
                /** @description The first day, on the clocks of the workspace: 2026-01-01. */
                readonly from?: string;
                /** @description The last day, which is included. */
                readonly to?: string;
                readonly meter?: "predictions" | "batch_rows" | "embeddings" | "storage_megabyte_days" | "training_minutes" | "training_runs";
                readonly model_id?: string;
                readonly version_id?: string;
                /** @description Such as the id of a key. */
                readonly actor_id?: string;
                readonly channel?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": unknown;
                };
            };
        };
    };
    readonly "organizationUsage.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description The first day, on the clocks of each workspace; of the log, in UTC: 2026-01-01. */
                readonly from?: string;
                /** @description The last day, which is included. */
                readonly to?: string;
                readonly group_by?: "day" | "month" | "model" | "version" | "workspace" | "total";
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UsagePage"];
                };
            };
        };
    };
    readonly "organizationUsageRecords.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description The first day, on the clocks of each workspace; of the log, in UTC: 2026-01-01. */
                readonly from?: string;
                /** @description The last day, which is included. */
                readonly to?: string;
                readonly meter?: "predictions" | "batch_rows" | "embeddings" | "storage_megabyte_days" | "training_minutes" | "training_runs";
                readonly model_id?: string;
                readonly version_id?: string;
                /** @description Such as the id of a key. */
                readonly actor_id?: string;
                readonly channel?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UsageRecordPage"];
                };
            };
        };
    };
    readonly "organizationUsageRecords.export": {
        readonly parameters: {
            readonly query?: {
                /** @description The first day, on the clocks of each workspace; of the log, in UTC: 2026-01-01. */
                readonly from?: string;
                /** @description The last day, which is included. */
                readonly to?: string;
                readonly meter?: "predictions" | "batch_rows" | "embeddings" | "storage_megabyte_days" | "training_minutes" | "training_runs";
                readonly model_id?: string;
                readonly version_id?: string;
                /** @description Such as the id of a key. */
                readonly actor_id?: string;
                readonly channel?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/csv": unknown;
                };
            };
        };
    };
    readonly "invoices.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvoicePage"];
                };
            };
        };
    };
    readonly "invoices.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["InvoiceWithLines"];
                };
            };
        };
    };
    readonly "invoices.getPage": {
        readonly parameters: {
            readonly query?: {
                readonly language?: "pt-BR" | "en";
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "text/html": unknown;
                };
            };
        };
    };
    readonly "pricePlan.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PricePlan"];
                };
            };
        };
    };
    readonly "webhooks.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookPage"];
                };
            };
        };
    };
    readonly "webhooks.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WebhookRequest"];
            };
        };
        readonly responses: {
            /** @description Created */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewWebhook"];
                };
            };
        };
    };
    readonly "webhooks.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    readonly "webhooks.delete": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "webhooks.update": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WebhookChange"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    readonly "webhooks.rotate": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WebhookRotation"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["NewWebhook"];
                };
            };
        };
    };
    readonly "webhooks.revokeSecret": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly secret_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description No Content */
            readonly 204: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "webhooks.sendTest": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    readonly "webhookDeliveries.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                readonly status?: "queued" | "running" | "succeeded" | "failed" | "skipped" | "canceled";
                readonly event_type?: string;
                /** @description RFC 3339: deliveries made at that moment or later. */
                readonly since?: string;
                /** @description RFC 3339: deliveries made before that moment. */
                readonly until?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    readonly "webhookDeliveries.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
        };
    };
    readonly "webhookDeliveries.replay": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    readonly "webhookRecoveries.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookRecoveryPage"];
                };
            };
        };
    };
    readonly "webhookRecoveries.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["WebhookRecoveryRequest"];
            };
        };
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookRecovery"];
                };
            };
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookRecovery"];
                };
            };
        };
    };
    readonly "webhookRecoveries.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
                readonly recovery_id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookRecovery"];
                };
            };
        };
    };
    readonly "auditEntries.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description RFC 3339: recorded at that moment or later. */
                readonly from?: string;
                /** @description RFC 3339: recorded before that moment. */
                readonly to?: string;
                /** @description An action such as api-key-creation, or the beginning of several: api-key-*. */
                readonly action?: string;
                /** @description An action that is left out, such as audit-read, of which each look at this list is one. */
                readonly without?: string;
                readonly class?: "admin" | "data" | "auth" | "system";
                readonly outcome?: "succeeded" | "denied" | "failed";
                readonly actor_id?: string;
                readonly actor_type?: "user" | "api_key" | "sftp_user" | "system" | "operator";
                readonly target_type?: string;
                readonly target_id?: string;
                /** @description The id of a target, with what belongs to it: versions, training runs, evaluations and backtests of a model, training runs of a task. */
                readonly about?: string;
                readonly channel?: "api" | "dashboard" | "sftp" | "cli";
                /** @description The address as the entry has it. */
                readonly ip?: string;
                readonly request_id?: string;
                /** @description A field of the data and its value, with = between them: status=succeeded. Values are compared as text. */
                readonly data?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
        };
    };
    readonly "auditEntries.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditEntry"];
                };
            };
        };
    };
    readonly "auditEntries.getProof": {
        readonly parameters: {
            readonly query?: {
                /** @description Of a checkpoint, in whose tree it is proved; by default of the newest. */
                readonly size?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditProof"];
                };
            };
        };
    };
    readonly "organizationAuditEntries.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
                /** @description RFC 3339: recorded at that moment or later. */
                readonly from?: string;
                /** @description RFC 3339: recorded before that moment. */
                readonly to?: string;
                /** @description An action such as api-key-creation, or the beginning of several: api-key-*. */
                readonly action?: string;
                /** @description An action that is left out, such as audit-read, of which each look at this list is one. */
                readonly without?: string;
                readonly class?: "admin" | "data" | "auth" | "system";
                readonly outcome?: "succeeded" | "denied" | "failed";
                readonly actor_id?: string;
                readonly actor_type?: "user" | "api_key" | "sftp_user" | "system" | "operator";
                readonly target_type?: string;
                readonly target_id?: string;
                /** @description The id of a target, with what belongs to it: versions, training runs, evaluations and backtests of a model, training runs of a task. */
                readonly about?: string;
                readonly channel?: "api" | "dashboard" | "sftp" | "cli";
                /** @description The address as the entry has it. */
                readonly ip?: string;
                readonly request_id?: string;
                /** @description A field of the data and its value, with = between them: status=succeeded. Values are compared as text. */
                readonly data?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditEntryPage"];
                };
            };
        };
    };
    readonly "organizationAuditEntries.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditEntry"];
                };
            };
        };
    };
    readonly "organizationAuditEntries.getProof": {
        readonly parameters: {
            readonly query?: {
                /** @description Of a checkpoint, in whose tree it is proved; by default of the newest. */
                readonly size?: number;
            };
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditProof"];
                };
            };
        };
    };
    readonly "auditCheckpoints.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditCheckpointPage"];
                };
            };
        };
    };
    readonly "auditCheckpoints.getConsistency": {
        readonly parameters: {
            readonly query: {
                /** @description Leaves of the older checkpoint. */
                readonly older: number;
                /** @description Of the newer one; by default of the newest. */
                readonly newer?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditGrowth"];
                };
            };
        };
    };
    readonly "organizationAuditCheckpoints.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditCheckpointPage"];
                };
            };
        };
    };
    readonly "organizationAuditCheckpoints.getConsistency": {
        readonly parameters: {
            readonly query: {
                /** @description Leaves of the older checkpoint. */
                readonly older: number;
                /** @description Of the newer one; by default of the newest. */
                readonly newer?: number;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditGrowth"];
                };
            };
        };
    };
    readonly "auditKeys.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditKey"];
                };
            };
        };
    };
    readonly "auditExports.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditExportPage"];
                };
            };
        };
    };
    readonly "auditExports.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AuditExportRequest"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditExport"];
                };
            };
        };
    };
    readonly "auditExports.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditExport"];
                };
            };
        };
    };
    readonly "auditExports.downloadEntries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description One range of bytes. */
                readonly Range?: string;
                /** @description The ETag that the range is of. */
                readonly "If-Range"?: string;
                /** @description ETags, or *: go on only if it is none of these. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Partial Content */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Not Modified */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "auditExports.downloadManifest": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description One range of bytes. */
                readonly Range?: string;
                /** @description The ETag that the range is of. */
                readonly "If-Range"?: string;
                /** @description ETags, or *: go on only if it is none of these. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Partial Content */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Not Modified */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "organizationAuditExports.list": {
        readonly parameters: {
            readonly query?: {
                /** @description At most this many, 200 being the most. A page of large entries has fewer; has_more says whether more follow. */
                readonly limit?: number;
                /** @description The next_cursor of the page before. */
                readonly cursor?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditExportPage"];
                };
            };
        };
    };
    readonly "organizationAuditExports.create": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description The same request again with the same key has one effect and one answer. */
                readonly "Idempotency-Key"?: string;
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AuditExportRequest"];
            };
        };
        readonly responses: {
            /** @description Accepted */
            readonly 202: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditExport"];
                };
            };
        };
    };
    readonly "organizationAuditExports.get": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["AuditExport"];
                };
            };
        };
    };
    readonly "organizationAuditExports.downloadEntries": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description One range of bytes. */
                readonly Range?: string;
                /** @description The ETag that the range is of. */
                readonly "If-Range"?: string;
                /** @description ETags, or *: go on only if it is none of these. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Partial Content */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Not Modified */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "organizationAuditExports.downloadManifest": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /** @description One range of bytes. */
                readonly Range?: string;
                /** @description The ETag that the range is of. */
                readonly "If-Range"?: string;
                /** @description ETags, or *: go on only if it is none of these. */
                readonly "If-None-Match"?: string;
            };
            readonly path: {
                readonly id: string;
            };
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description OK */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Partial Content */
            readonly 206: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/octet-stream": unknown;
                };
            };
            /** @description Not Modified */
            readonly 304: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    readonly "sunset.scoreRisk": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: never;
    };
    readonly "sunset.addContact": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: never;
    };
    readonly "sunset.addTransaction": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: never;
    };
    readonly "sunset.addInvoices": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: never;
    };
}
