package org.terrace.seven.ftex;

/**
 * An order that waits in the book.
 *
 * @param number among the orders of its stock; the lower came first
 * @param trader whose it is
 * @param centsEach its limit
 * @param left shares
 */
record Waiting(long number, String trader, int centsEach, int left) {}
