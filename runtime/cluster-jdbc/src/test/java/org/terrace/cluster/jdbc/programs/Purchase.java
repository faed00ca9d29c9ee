package org.terrace.cluster.jdbc.programs;

import jakarta.persistence.CascadeType;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A purchase, which its table numbers. */
@Entity
@Table(name = "purchase")
public class Purchase {
  @Id
  @GeneratedValue(strategy = GenerationType.IDENTITY)
  private @Nullable Long id;

  private String customer = "";
  @Version private int version;

  @OneToMany(mappedBy = "purchase", cascade = CascadeType.ALL, orphanRemoval = true)
  private List<PurchasePosition> positions = new ArrayList<>();

  /** For Hibernate. */
  protected Purchase() {}

  /** A purchase without positions. */
  public Purchase(String customer) {
    this.customer = customer;
  }

  /** Adds a position. */
  public void add(String name, int amount) {
    positions.add(new PurchasePosition(this, name, amount));
  }

  /** Gives it another customer. */
  public void rename(String newCustomer) {
    customer = newCustomer;
  }

  /** Its number; null: it was not kept yet. */
  public @Nullable Long id() {
    return id;
  }

  /** Its positions as text. */
  public List<String> positions() {
    return positions.stream().map(PurchasePosition::toString).toList();
  }

  /** The one who buys. */
  public String customer() {
    return customer;
  }
}
