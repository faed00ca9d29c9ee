package org.terrace.seven.ejbay;

/** The stage of an auction. */
public enum AuctionState {
  /** An auction that is not closed; whether its time is over is told by the clock. */
  OPEN,
  /** Closed, and the highest bidder has paid. */
  SOLD,
  /** Closed without a bid. */
  UNSOLD
}
