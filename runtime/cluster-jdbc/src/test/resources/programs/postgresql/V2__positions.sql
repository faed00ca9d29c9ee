CREATE TABLE purchase_position (
  id BIGINT PRIMARY KEY DEFAULT nextval('purchase_position_seq'),
  purchase_id BIGINT NOT NULL REFERENCES purchase (id),
  name VARCHAR(40) NOT NULL,
  amount INT NOT NULL
);
CREATE INDEX position_of ON purchase_position (purchase_id);
