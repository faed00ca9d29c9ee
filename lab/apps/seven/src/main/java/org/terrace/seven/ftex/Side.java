package org.terrace.seven.ftex;

/** Which way an order goes. */
public enum Side {
  /** Shares for money. */
  BUY,
  /** Money for shares. */
  SELL;

  Side other() {
    return this == BUY ? SELL : BUY;
  }
}
