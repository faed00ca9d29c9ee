package bookshop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A title and how many pieces of it are left. */
@Entity
@Table(name = "book")
class Book {
  @Id private String title;
  private int pieces;

  /** For Hibernate. */
  Book() {}

  int pieces() {
    return pieces;
  }

  void takeOne() {
    if (pieces == 0) {
      throw new IllegalStateException(title + " is sold out");
    }
    pieces--;
  }
}
