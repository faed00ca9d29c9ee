-- The tables of the board for SQL nodes before partitioned data nodes: those of MariaDB, each with the indexes that
-- its pages need, without references and without indexes of words, which no partition could keep alone. Rows are spread by
-- their primary key, and numbered by sequences of the SQL node. Of what was unique beside a primary key, nobody
-- adds a category's name, and nicknames have a table that makes each one user's.

CREATE TABLE categories (
  id int NOT NULL,
  name varchar(40) NOT NULL,
  PRIMARY KEY (id),
  INDEX categories_name (name)
);

CREATE TABLE users (
  id int NOT NULL DEFAULT nextval(user_ids),
  nickname varchar(20) COLLATE utf8mb4_general_ci NOT NULL,
  first_name varchar(40) NOT NULL,
  last_name varchar(40) NOT NULL,
  email varchar(80) NOT NULL,
  password_hash varchar(100) NOT NULL,
  rating int NOT NULL DEFAULT 0,
  access smallint NOT NULL DEFAULT 0,
  since datetime NOT NULL DEFAULT utc_timestamp(),
  PRIMARY KEY (id),
  INDEX users_nickname (nickname)
);

CREATE TABLE nicknames (
  nickname varchar(20) COLLATE utf8mb4_general_ci NOT NULL,
  user int NOT NULL,
  PRIMARY KEY (nickname)
);

CREATE TABLE stories (
  id int NOT NULL DEFAULT nextval(story_ids),
  category int NOT NULL,
  writer int,
  title varchar(100) COLLATE utf8mb4_uca1400_as_ci NOT NULL,
  excerpt varchar(200) NOT NULL,
  body mediumtext NOT NULL,
  posted datetime NOT NULL DEFAULT utc_timestamp(),
  comments int NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  INDEX stories_category (category, id),
  INDEX stories_writer (writer, id),
  INDEX stories_posted (posted)
);

CREATE TABLE old_stories (
  id int NOT NULL DEFAULT nextval(story_ids),
  category int NOT NULL,
  writer int,
  title varchar(100) COLLATE utf8mb4_uca1400_as_ci NOT NULL,
  excerpt varchar(200) NOT NULL,
  body mediumtext NOT NULL,
  posted datetime NOT NULL DEFAULT utc_timestamp(),
  comments int NOT NULL DEFAULT 0,
  PRIMARY KEY (id),
  INDEX old_stories_writer (writer, id),
  INDEX old_stories_posted (posted)
);

CREATE TABLE submissions (
  id int NOT NULL DEFAULT nextval(submission_ids),
  category int NOT NULL,
  writer int,
  title varchar(100) NOT NULL,
  body mediumtext NOT NULL,
  posted datetime NOT NULL DEFAULT utc_timestamp(),
  PRIMARY KEY (id)
);

CREATE TABLE comments (
  id int NOT NULL DEFAULT nextval(comment_ids),
  story int NOT NULL,
  parent int,
  writer int,
  subject varchar(100) COLLATE utf8mb4_uca1400_as_ci NOT NULL,
  body mediumtext NOT NULL,
  rating smallint NOT NULL DEFAULT 0,
  posted datetime NOT NULL DEFAULT utc_timestamp(),
  PRIMARY KEY (id),
  INDEX comments_story (story, id),
  INDEX comments_parent (parent)
);

CREATE TABLE old_comments (
  id int NOT NULL DEFAULT nextval(comment_ids),
  story int NOT NULL,
  parent int,
  writer int,
  subject varchar(100) COLLATE utf8mb4_uca1400_as_ci NOT NULL,
  body mediumtext NOT NULL,
  rating smallint NOT NULL DEFAULT 0,
  posted datetime NOT NULL DEFAULT utc_timestamp(),
  PRIMARY KEY (id),
  INDEX old_comments_story (story, id),
  INDEX old_comments_parent (parent)
);

CREATE TABLE moderator_log (
  id int NOT NULL DEFAULT nextval(log_ids),
  moderator int NOT NULL,
  comment int NOT NULL,
  rating smallint NOT NULL,
  logged datetime NOT NULL DEFAULT utc_timestamp(),
  PRIMARY KEY (id)
);
