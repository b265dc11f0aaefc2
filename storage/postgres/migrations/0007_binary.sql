-- Documents of some kinds are in a binary form, which programs of before would show as it
-- is. This step changes nothing but that they refuse the database.
SELECT 1;
