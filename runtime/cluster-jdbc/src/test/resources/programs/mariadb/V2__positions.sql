CREATE TABLE purchase_position (
  id BIGINT DEFAULT NEXTVAL(purchase_position_seq) PRIMARY KEY,
  purchase_id BIGINT NOT NULL,
  name VARCHAR(40) NOT NULL,
  amount INT NOT NULL,
  FOREIGN KEY (purchase_id) REFERENCES purchase (id)
);
