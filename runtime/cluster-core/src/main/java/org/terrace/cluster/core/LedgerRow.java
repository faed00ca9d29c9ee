package org.terrace.cluster.core;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The row of a transaction in a ledger: a table of the user's in which each transaction that has a
 * name writes it down, so that whoever knows the name can ask whether it was committed.
 *
 * @param ledger the table, with its schema if it has one
 * @param name the transaction's name
 * @param turn the number of the ledger's turn of which the name is
 */
public record LedgerRow(String ledger, String name, long turn) {
  private static final Pattern FORM =
      Pattern.compile("((?:[a-z_]+\\.)?[a-z_]+)/(([0-9]{1,15})-[0-9A-Za-z-]{1,40})");

  /** The row that a text such as {@code audit.ledger/7-a0e11} tells. */
  public static LedgerRow of(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is no row of a ledger");
    }
    return new LedgerRow(matcher.group(1), matcher.group(2), Long.parseLong(matcher.group(3)));
  }

  /**
   * The statements that write it, as the last ones of its transaction.
   *
   * @param acts whether the session may act as somebody else than the account whose the ledger is,
   *     which it then does no more until the transaction ends
   */
  public List<String> statements(boolean acts) {
    String insert =
        "INSERT INTO %s (name, turn, kept) VALUES ('%s', %d, 1)".formatted(ledger, name, turn);
    return acts ? List.of("SET LOCAL ROLE NONE", insert) : List.of(insert);
  }

  /**
   * The locks under which it is written: of the row alone, so that commits do not wait for each
   * other, and whoever locks the whole ledger waits for those that are under way.
   */
  public List<LockDemand> locks() {
    String table = ledger.substring(ledger.indexOf('.') + 1);
    return List.of(new LockDemand(new Lockable(table, name), LockMode.EXCLUSIVE));
  }
}
