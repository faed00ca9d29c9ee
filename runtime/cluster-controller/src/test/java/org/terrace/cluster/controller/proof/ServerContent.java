package org.terrace.cluster.controller.proof;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.cluster.controller.proof.ClientTransactionLine.Transfer;

/**
 * The content of one server in the end.
 *
 * @param balances by account
 * @param transfers by transaction
 * @param lists their elements, by list
 * @param registers their values, by client
 */
record ServerContent(
    Map<Integer, Long> balances,
    Map<Long, Transfer> transfers,
    Map<Integer, List<Long>> lists,
    Map<Integer, Long> registers) {

  /** Reads it by a connection to that server alone. */
  static ServerContent read(Connection connection) throws SQLException {
    Map<Integer, Long> balances = new TreeMap<>();
    Map<Long, Transfer> transfers = new TreeMap<>();
    Map<Integer, List<Long>> lists = new TreeMap<>();
    Map<Integer, Long> registers = new TreeMap<>();
    try (Statement statement = connection.createStatement()) {
      ResultSet rows = statement.executeQuery("SELECT id, balance FROM account");
      while (rows.next()) {
        balances.put(rows.getInt(1), rows.getLong(2));
      }
      rows = statement.executeQuery("SELECT id, source, target, amount FROM transfer");
      while (rows.next()) {
        transfers.put(
            rows.getLong(1), new Transfer(rows.getInt(2), rows.getInt(3), rows.getLong(4)));
      }
      rows = statement.executeQuery("SELECT id, elements FROM list");
      while (rows.next()) {
        lists.put(rows.getInt(1), ClientTransactionLine.elements(rows.getString(2)));
      }
      rows = statement.executeQuery("SELECT id, value FROM register");
      while (rows.next()) {
        registers.put(rows.getInt(1), rows.getLong(2));
      }
    }
    return new ServerContent(balances, transfers, lists, registers);
  }
}
