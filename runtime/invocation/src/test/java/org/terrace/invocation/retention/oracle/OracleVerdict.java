package org.terrace.invocation.retention.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Clients' logs against the database: the effects are those of the acknowledged calls and of some
 * of the unknown ones, each once.
 *
 * @param sent requests that were sent, whatever came of them
 * @param acknowledged requests with a result
 * @param refused requests with a refusal
 * @param without requests that were said to have had no effect
 * @param unsure requests that were said to have an unknown outcome
 * @param unknown requests with neither reply nor such a word: those that were unsure, and those
 *     whose client was killed
 * @param copies replies to copies of a request that were sent beside it or later
 * @param effects rows written
 * @param lastFailure what a client was told last that is no reply, in words
 * @param violations what must not be, in words
 */
record OracleVerdict(
    int sent,
    int acknowledged,
    int refused,
    int without,
    int unsure,
    int unknown,
    int copies,
    int effects,
    String lastFailure,
    List<String> violations) {
  /** The first words about a call with two effects. */
  static final String TWICE = "executed twice";

  /** The first words about an effect of a primary that had been replaced. */
  static final String EPOCH_OVER = "executed in an epoch that was over";

  static OracleVerdict of(List<Path> logs, DataSource database) throws IOException, SQLException {
    Map<String, String> replies = new HashMap<>();
    Set<String> sent = new HashSet<>();
    List<String> violations = new ArrayList<>();
    Set<String> without = new HashSet<>();
    int copies = 0;
    int unsure = 0;
    String lastFailure = "no failure";
    for (Path log : logs) {
      for (String line : Files.exists(log) ? Files.readAllLines(log) : List.<String>of()) {
        String[] words = line.split(" ", -1);
        String identity = words[0] + "/" + words[1];
        switch (words[2]) {
          case "sent" -> {
            if (!sent.add(identity)) {
              violations.add("sent under one identity twice: " + line);
            }
          }
          case "reply", "copy", "late" -> {
            copies += words[2].equals("reply") ? 0 : 1;
            if (words[3].equals("rejected")) {
              if (words[2].equals("reply")) {
                violations.add("rejected while its client waited: " + line);
              }
            } else {
              String other = replies.putIfAbsent(identity, words[3]);
              if (other != null && !other.equals(words[3])) {
                violations.add("two replies, " + other + " and that of: " + line);
              }
            }
          }
          case "without" -> {
            without.add(identity);
            lastFailure = line;
          }
          case "unsure" -> {
            unsure++;
            lastFailure = line;
            if (Doubts.isEarly(words)) {
              violations.add("in doubt before its deadline: " + line);
            }
          }
          default -> violations.add("not a line of a log: " + line);
        }
      }
    }
    int effects = compare(database, sent, replies, without, violations);
    int refused = (int) replies.values().stream().filter(Accounts.UNLUCKY::equals).count();
    return new OracleVerdict(
        sent.size(),
        replies.size() - refused,
        refused,
        without.size(),
        unsure,
        sent.size() - replies.size() - without.size(),
        copies,
        effects,
        lastFailure,
        violations);
  }

  private static int compare(
      DataSource database,
      Set<String> sent,
      Map<String, String> replies,
      Set<String> without,
      List<String> violations)
      throws SQLException {
    Map<String, String> effects = new HashMap<>();
    int rows = 0;
    try (Connection connection = database.getConnection();
        var statement = connection.createStatement()) {
      try (var row = statement.executeQuery("SELECT client, sequence, balance FROM effect")) {
        while (row.next()) {
          rows++;
          String identity = row.getLong(1) + "/" + row.getLong(2);
          if (effects.put(identity, row.getString(3)) != null) {
            violations.add(TWICE + ": " + identity);
          }
        }
      }
      try (var row =
          statement.executeQuery(
              "SELECT (SELECT sum(balance) FROM account), (SELECT sum(amount) FROM effect)")) {
        row.next();
        if (row.getLong(1) != row.getLong(2)) {
          violations.add("balances " + row.getLong(1) + ", effects " + row.getLong(2));
        }
      }
      checkEpochs(statement, violations);
    }
    for (String identity : without) {
      if (effects.containsKey(identity)) {
        violations.add("said to have had no effect: " + identity);
      }
    }
    effects.forEach((identity, balance) -> {
      if (!sent.contains(identity)) {
        violations.add("executed and never sent: " + identity);
      }
      String reply = replies.getOrDefault(identity, balance);
      if (!reply.equals(balance)) {
        violations.add(identity + " had the reply " + reply + " and the effect " + balance);
      }
    });
    replies.forEach((identity, reply) -> {
      if (!reply.equals(Accounts.UNLUCKY) && !effects.containsKey(identity)) {
        violations.add("acknowledged and lost: " + identity);
      }
    });
    return rows;
  }

  /** Balances grow, and the lock of an account is held to the end: they are in order of commits. */
  private static void checkEpochs(Statement statement, List<String> violations)
      throws SQLException {
    try (var row =
        statement.executeQuery(
            "SELECT account, epoch, client, sequence FROM effect ORDER BY account, balance")) {
      int account = -1;
      long epoch = 0;
      while (row.next()) {
        if (row.getInt(1) == account && row.getLong(2) < epoch) {
          violations.add(
              "%s: %d/%d in epoch %d after one in %d"
                  .formatted(EPOCH_OVER, row.getLong(3), row.getLong(4), row.getLong(2), epoch));
        }
        account = row.getInt(1);
        epoch = row.getLong(2);
      }
    }
  }
}
