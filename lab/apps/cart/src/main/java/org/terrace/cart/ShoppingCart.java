package org.terrace.cart;

import org.terrace.invocation.Read;
import org.terrace.invocation.Update;

/**
 * The shopping cart of Marian, Balakrishnan, Birman, van Renesse, "Tempest: Soft state replication
 * in the service tier", 2008, figure 1, with items that may have an object beside their count.
 *
 * <p>Counts below one are refused with {@code count-not-positive}.
 */
public interface ShoppingCart {
  /** Puts so many more of the item into the cart; returns how many are there now. */
  @Update
  int add(String item, int count);

  /**
   * Takes so many of the item out of the cart; returns how many are there now. Refused with {@code
   * too-few} if there are not so many.
   */
  @Update
  int remove(String item, int count);

  /** Makes it so many of the item; returns how many there were. */
  @Update
  int update(String item, int count);

  /** Puts one more of the item into the cart and keeps the object beside it. */
  @Update
  int put(String item, byte[] object);

  /** The quantity of the item in the cart. */
  @Read
  int check(String item);

  /** The quantity of the item in the cart, and the object beside it. */
  @Read
  CartItem get(String item);

  /**
   * Keeps a processor busy for about so many microseconds, a rogue client's request, and returns
   * how often it looked at the clock, once or more.
   */
  @Read
  int burn(int micros);
}
