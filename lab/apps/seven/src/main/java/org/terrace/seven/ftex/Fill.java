package org.terrace.seven.ftex;

/**
 * A part of an order that a waiting one met.
 *
 * @param waiting the waiting order before
 * @param shares that change hands
 */
record Fill(Waiting waiting, int shares) {

  /** At the price of the order that waited. */
  long cents() {
    return (long) shares * waiting.centsEach();
  }
}
