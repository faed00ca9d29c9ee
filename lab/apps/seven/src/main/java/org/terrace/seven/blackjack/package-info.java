/** Blackjack: players with chips against the house, whose cards lie in the database. */
@org.jspecify.annotations.NullMarked
package org.terrace.seven.blackjack;
