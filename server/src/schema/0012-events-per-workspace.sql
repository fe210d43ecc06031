-- What is everybody's, such as a version of the graph model, has events in every workspace, each of which counts its own.
alter table events drop constraint events_resource_id_sequence_key;
create unique index events_of_resource on events (resource_id, workspace_id, sequence) nulls not distinct;
