CREATE TABLE migrated (step BIGSERIAL PRIMARY KEY, name VARCHAR(40) NOT NULL);
INSERT INTO migrated (name) VALUES ('first'), ('second');
INSERT INTO migrated (name) VALUES ('third');
