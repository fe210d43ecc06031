-- The version of the graph model that a run may read, chosen when it was asked for; and that which a version does read.
alter table training_runs add column gfm_version_id text references gfm_versions;
alter table model_versions add column gfm_version_id text references gfm_versions;
