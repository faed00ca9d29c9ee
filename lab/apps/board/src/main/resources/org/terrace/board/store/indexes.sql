-- Keys, indexes and references, made after the rows are there. Each index serves a page.

ALTER TABLE users ADD PRIMARY KEY (id);
CREATE UNIQUE INDEX users_nickname ON users (lower(nickname)); -- sign in, SearchInUsers

ALTER TABLE stories ADD PRIMARY KEY (id); -- StoriesOfTheDay, ViewStory
CREATE INDEX stories_category ON stories (category, id); -- BrowseStoriesInCategory
CREATE INDEX stories_writer ON stories (writer, id); -- SearchInUsers
CREATE INDEX stories_posted ON stories (posted); -- OlderStories
CREATE INDEX stories_title ON stories USING gin (to_tsvector('simple', title)); -- SearchInStories

ALTER TABLE old_stories ADD PRIMARY KEY (id);
CREATE INDEX old_stories_writer ON old_stories (writer, id);
CREATE INDEX old_stories_posted ON old_stories (posted);
CREATE INDEX old_stories_title ON old_stories USING gin (to_tsvector('simple', title));

ALTER TABLE submissions ADD PRIMARY KEY (id); -- ReviewStories

ALTER TABLE comments ADD PRIMARY KEY (id);
CREATE INDEX comments_story ON comments (story, id); -- ViewStory
CREATE INDEX comments_parent ON comments (parent); -- ViewComment
CREATE INDEX comments_subject ON comments USING gin (to_tsvector('simple', subject));

ALTER TABLE old_comments ADD PRIMARY KEY (id);
CREATE INDEX old_comments_story ON old_comments (story, id);
CREATE INDEX old_comments_parent ON old_comments (parent);
CREATE INDEX old_comments_subject ON old_comments USING gin (to_tsvector('simple', subject));

ALTER TABLE moderator_log ADD PRIMARY KEY (id);

ALTER TABLE stories ADD FOREIGN KEY (category) REFERENCES categories;
ALTER TABLE stories ADD FOREIGN KEY (writer) REFERENCES users;
ALTER TABLE old_stories ADD FOREIGN KEY (category) REFERENCES categories;
ALTER TABLE old_stories ADD FOREIGN KEY (writer) REFERENCES users;
ALTER TABLE submissions ADD FOREIGN KEY (category) REFERENCES categories;
ALTER TABLE submissions ADD FOREIGN KEY (writer) REFERENCES users;
ALTER TABLE comments ADD FOREIGN KEY (story) REFERENCES stories;
ALTER TABLE comments ADD FOREIGN KEY (parent) REFERENCES comments;
ALTER TABLE comments ADD FOREIGN KEY (writer) REFERENCES users;
ALTER TABLE old_comments ADD FOREIGN KEY (story) REFERENCES old_stories;
ALTER TABLE old_comments ADD FOREIGN KEY (parent) REFERENCES old_comments;
ALTER TABLE old_comments ADD FOREIGN KEY (writer) REFERENCES users;
ALTER TABLE moderator_log ADD FOREIGN KEY (moderator) REFERENCES users;
