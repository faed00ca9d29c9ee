-- The tables of the board for MariaDB, as tables.sql has them for PostgreSQL. Moments are days and times in
-- UTC; texts are equal when their bytes are, but for the two that are searched for words.

CREATE SEQUENCE story_ids;

CREATE SEQUENCE comment_ids;

CREATE TABLE categories (
  id int PRIMARY KEY,
  name varchar(40) NOT NULL UNIQUE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE users (
  id int AUTO_INCREMENT PRIMARY KEY,
  nickname varchar(20) NOT NULL,
  lowered varchar(20) AS (lower(nickname)) PERSISTENT,
  first_name varchar(40) NOT NULL,
  last_name varchar(40) NOT NULL,
  email varchar(80) NOT NULL,
  password_hash varchar(100) NOT NULL,
  rating int NOT NULL DEFAULT 0,
  access smallint NOT NULL DEFAULT 0,
  since datetime NOT NULL DEFAULT utc_timestamp()
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE stories (
  id int NOT NULL DEFAULT nextval(story_ids) PRIMARY KEY,
  category int NOT NULL,
  writer int,
  title varchar(100) COLLATE utf8mb4_uca1400_as_ci NOT NULL,
  excerpt varchar(200) NOT NULL,
  body mediumtext NOT NULL,
  posted datetime NOT NULL DEFAULT utc_timestamp(),
  comments int NOT NULL DEFAULT 0
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE old_stories LIKE stories;

CREATE TABLE submissions (
  id int AUTO_INCREMENT PRIMARY KEY,
  category int NOT NULL,
  writer int,
  title varchar(100) NOT NULL,
  body mediumtext NOT NULL,
  posted datetime NOT NULL DEFAULT utc_timestamp()
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE comments (
  id int NOT NULL DEFAULT nextval(comment_ids) PRIMARY KEY,
  story int NOT NULL,
  parent int,
  writer int,
  subject varchar(100) COLLATE utf8mb4_uca1400_as_ci NOT NULL,
  body mediumtext NOT NULL,
  rating smallint NOT NULL DEFAULT 0,
  posted datetime NOT NULL DEFAULT utc_timestamp()
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE old_comments LIKE comments;

CREATE TABLE moderator_log (
  id int AUTO_INCREMENT PRIMARY KEY,
  moderator int NOT NULL,
  comment int NOT NULL,
  rating smallint NOT NULL,
  logged datetime NOT NULL DEFAULT utc_timestamp()
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
