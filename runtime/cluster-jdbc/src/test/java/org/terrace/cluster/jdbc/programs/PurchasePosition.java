package org.terrace.cluster.jdbc.programs;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A position of a purchase, which a sequence numbers in steps of 50. */
@Entity
@Table(name = "purchase_position")
public class PurchasePosition {
  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "positions")
  @SequenceGenerator(
      name = "positions",
      sequenceName = "purchase_position_seq",
      allocationSize = 50)
  private @Nullable Long id;

  @ManyToOne(optional = false)
  @JoinColumn(name = "purchase_id")
  private @Nullable Purchase purchase;

  private String name = "";
  private int amount;

  /** For Hibernate. */
  protected PurchasePosition() {}

  PurchasePosition(Purchase purchase, String name, int amount) {
    this.purchase = purchase;
    this.name = name;
    this.amount = amount;
  }

  @Override
  public String toString() {
    return "%d %s for %s".formatted(amount, name, purchase == null ? "" : purchase.customer());
  }
}
