package bookshop;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.LocalDateTime;
import org.hibernate.annotations.Generated;

/** One book that one customer bought; the database numbers and dates it. */
@Entity
@Table(name = "sale")
class Sale {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private Long id;

  private String title;
  private String customer;
  @Generated private LocalDateTime soldAt;

  /** For Hibernate. */
  Sale() {}

  Sale(String title, String customer) {
    this.title = title;
    this.customer = customer;
  }

  Long id() {
    return id;
  }
}
