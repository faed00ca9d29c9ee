-- Indexes and references, made after the rows are there, as indexes.sql has them for PostgreSQL.

ALTER TABLE users ADD UNIQUE INDEX users_lowered (lowered);

ALTER TABLE stories
  ADD INDEX stories_category (category, id),
  ADD INDEX stories_writer (writer, id),
  ADD INDEX stories_posted (posted);

ALTER TABLE stories ADD FULLTEXT INDEX stories_title (title);

ALTER TABLE old_stories
  ADD INDEX old_stories_writer (writer, id),
  ADD INDEX old_stories_posted (posted);

ALTER TABLE old_stories ADD FULLTEXT INDEX old_stories_title (title);

ALTER TABLE comments
  ADD INDEX comments_story (story, id),
  ADD INDEX comments_parent (parent);

ALTER TABLE comments ADD FULLTEXT INDEX comments_subject (subject);

ALTER TABLE old_comments
  ADD INDEX old_comments_story (story, id),
  ADD INDEX old_comments_parent (parent);

ALTER TABLE old_comments ADD FULLTEXT INDEX old_comments_subject (subject);

ALTER TABLE stories
  ADD FOREIGN KEY (category) REFERENCES categories (id),
  ADD FOREIGN KEY (writer) REFERENCES users (id);

ALTER TABLE old_stories
  ADD FOREIGN KEY (category) REFERENCES categories (id),
  ADD FOREIGN KEY (writer) REFERENCES users (id);

ALTER TABLE submissions
  ADD FOREIGN KEY (category) REFERENCES categories (id),
  ADD FOREIGN KEY (writer) REFERENCES users (id);

ALTER TABLE comments
  ADD FOREIGN KEY (story) REFERENCES stories (id),
  ADD FOREIGN KEY (parent) REFERENCES comments (id),
  ADD FOREIGN KEY (writer) REFERENCES users (id);

ALTER TABLE old_comments
  ADD FOREIGN KEY (story) REFERENCES old_stories (id),
  ADD FOREIGN KEY (parent) REFERENCES old_comments (id),
  ADD FOREIGN KEY (writer) REFERENCES users (id);

ALTER TABLE moderator_log ADD FOREIGN KEY (moderator) REFERENCES users (id);
