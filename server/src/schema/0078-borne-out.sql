-- Kept reports name the field as the API does.
update validations set result = replace(result::text, '"borneOut"', '"borne_out"')::jsonb where result is not null;
