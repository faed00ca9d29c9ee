package org.terrace.invocation.retention.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
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
 * @param unknown requests whose client was killed before it had a reply
 * @param copies replies to copies of a request that were sent beside it or later
 * @param effects rows written
 * @param violations what must not be, in words
 */
record OracleVerdict(
    int sent,
    int acknowledged,
    int refused,
    int unknown,
    int copies,
    int effects,
    List<String> violations) {

  static OracleVerdict of(List<Path> logs, DataSource database) throws IOException, SQLException {
    Map<String, String> replies = new HashMap<>();
    Set<String> sent = new HashSet<>();
    List<String> violations = new ArrayList<>();
    int copies = 0;
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
          default -> violations.add("not a line of a log: " + line);
        }
      }
    }
    int effects = compare(database, sent, replies, violations);
    int refused = (int) replies.values().stream().filter(Accounts.UNLUCKY::equals).count();
    return new OracleVerdict(
        sent.size(),
        replies.size() - refused,
        refused,
        sent.size() - replies.size(),
        copies,
        effects,
        violations);
  }

  private static int compare(
      DataSource database, Set<String> sent, Map<String, String> replies, List<String> violations)
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
            violations.add("executed twice: " + identity);
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
}
