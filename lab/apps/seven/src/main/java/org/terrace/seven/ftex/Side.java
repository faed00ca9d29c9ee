package org.terrace.seven.ftex;

/** The direction of an order. */
public enum Side {
  /** Shares for money. */
  BUY,
  /** Money for shares. */
  SELL;

  Side other() {
    return this == BUY ? SELL : BUY;
  }
}
