-- Of the list of bad rows. Null where there is no list, and of lists written before hashes of them were kept: then the
-- hash that the storage recorded beside the bytes counts.
alter table batch_units add column errors_sha256 text;
