package org.terrace.proof;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import org.terrace.cluster.jdbc.inspection.ClusterInspection;
import org.terrace.cluster.jdbc.inspection.MembershipRequest;
import org.terrace.cluster.jdbc.inspection.MembershipRequest.Change;
import org.terrace.cluster.jdbc.inspection.RowDifference;
import org.terrace.cluster.jdbc.inspection.ServerStatus;
import org.terrace.cluster.jdbc.inspection.TableComparison;

/**
 * The program behind {@code terrace database}: what the servers of a clustered database remember,
 * and whether they are equal; and requests to its owner. Exit code 1 if a server is missing, not to
 * be trusted, or different.
 */
public final class InspectDatabase {
  /** The environment variable of the password, so that no list of processes shows it. */
  private static final String PASSWORD = "TERRACE_DATABASE_PASSWORD";

  private static final int BAD_INPUT = 2;

  /** It looks for requests as often as it renews its lease. */
  private static final Duration OWNER_ANSWERS_WITHIN = Duration.ofSeconds(30);

  private InspectDatabase() {}

  /**
   * Arguments: {@code status}, {@code verify}, {@code add} or {@code remove}, the URL, the user,
   * the server to add or remove, then maybe {@code --json}.
   */
  public static void main(String[] arguments) throws InterruptedException {
    List<String> given = new ArrayList<>(List.of(arguments));
    boolean json = given.remove("--json");
    boolean changes = List.of("add", "remove").contains(given.isEmpty() ? "" : given.getFirst());
    if (given.size() != (changes ? 4 : 3)) {
      System.err.println(
          "InspectDatabase: expected status, verify, add or remove, a URL, a user, and maybe a server");
      System.exit(BAD_INPUT);
    }
    Properties properties = new Properties();
    properties.setProperty("user", given.get(2));
    properties.setProperty("password", Optional.ofNullable(System.getenv(PASSWORD)).orElse(""));
    boolean good = false;
    try {
      good = changes ? change(given, properties, json) : inspect(given, properties, json);
    } catch (SQLException e) {
      System.err.println("terrace: " + e.getMessage());
      System.exit(BAD_INPUT);
    }
    System.exit(good ? 0 : 1);
  }

  private static boolean inspect(List<String> given, Properties properties, boolean json)
      throws SQLException, InterruptedException {
    ClusterInspection inspection = ClusterInspection.of(given.get(1), properties);
    return given.getFirst().equals("status")
        ? status(inspection.status(), json)
        : verified(inspection.verify(), json);
  }

  private static boolean change(List<String> given, Properties properties, boolean json)
      throws SQLException, InterruptedException {
    List<String> servers =
        MembershipRequest.of(given.get(1), properties)
            .ask(
                given.getFirst().equals("add") ? Change.ADD : Change.REMOVE,
                given.get(3),
                OWNER_ANSWERS_WITHIN);
    System.out.println(
        json
            ? "{\"format\": \"terrace-database/1\", \"members\": %s}"
                .formatted(servers.stream().map(Proof::quoted).toList())
            : "The cluster's servers are now "
                + String.join(",", servers)
                + ": name them in its URL when it is opened again.");
    return true;
  }

  private static boolean status(List<ServerStatus> servers, boolean json) {
    if (json) {
      System.out.println(
          "{\"format\": \"terrace-database/1\", \"servers\": %s}"
              .formatted(servers.stream().map(InspectDatabase::json).toList()));
    } else {
      servers.forEach(server -> System.out.println(text(server)));
    }
    long latest = servers.stream().mapToLong(ServerStatus::view).max().orElse(0);
    return servers.stream()
        .allMatch(server ->
            server.failure().isEmpty() && server.diverged().isEmpty() && server.view() == latest);
  }

  private static String text(ServerStatus server) {
    if (!server.failure().isEmpty()) {
      return "%s  does not answer: %s".formatted(server.name(), server.failure());
    }
    String owner =
        server.owned()
            ? "owned by %s, renewed %.1f s ago"
                .formatted(server.owner(), server.renewedMillis() / 1e3)
            : "not owned";
    return String.format(
        Locale.ROOT,
        "%s  %s  position %d  epoch %d  %s  active: %s%s%s",
        server.name(),
        server.version(),
        server.position(),
        server.epoch(),
        owner,
        server.members().isEmpty() ? "never" : String.join(" ", server.members()),
        server.log().isEmpty() ? "  no recovery log" : "  log " + server.log(),
        server.diverged().isEmpty() ? "" : "  NOT TO BE TRUSTED: " + server.diverged());
  }

  private static String json(ServerStatus server) {
    return "{\"server\": %s, \"failure\": %s, \"version\": %s, \"owner\": %s, \"owned\": %b, \"renewedMillis\": %d, \"epoch\": %d, \"view\": %d, \"active\": %s, \"position\": %d, \"log\": %s, \"diverged\": %s}"
        .formatted(
            Proof.quoted(server.name()),
            Proof.quoted(server.failure()),
            Proof.quoted(server.version()),
            Proof.quoted(server.owner()),
            server.owned(),
            server.renewedMillis(),
            server.epoch(),
            server.view(),
            server.members().stream().map(Proof::quoted).toList(),
            server.position(),
            Proof.quoted(server.log()),
            Proof.quoted(server.diverged()));
  }

  private static boolean verified(List<TableComparison> tables, boolean json) {
    if (json) {
      System.out.println(
          "{\"format\": \"terrace-database/1\", \"tables\": %s}"
              .formatted(tables.stream().map(InspectDatabase::json).toList()));
    } else {
      tables.forEach(InspectDatabase::print);
    }
    return tables.stream().allMatch(TableComparison::isEqual);
  }

  private static void print(TableComparison table) {
    System.out.printf(
        Locale.ROOT,
        "%s  %s and %s: %s, %,d rows%s%n",
        table.table(),
        table.first(),
        table.second(),
        table.isEqual() ? "equal" : "DIFFERENT",
        table.rows(),
        table.remark().isEmpty() ? "" : "; " + table.remark());
    for (RowDifference row : table.differences()) {
      System.out.printf(
          Locale.ROOT,
          "  key %s: %s here, %s there%n",
          String.join(", ", row.key()),
          row.first().isEmpty() ? "nothing" : row.first(),
          row.second().isEmpty() ? "nothing" : row.second());
    }
    if (table.more() > 0) {
      System.out.printf(Locale.ROOT, "  and %,d more%n", table.more());
    }
  }

  private static String json(TableComparison table) {
    List<String> rows =
        table.differences().stream()
            .map(row ->
                "{\"key\": %s, \"first\": %s, \"second\": %s}"
                    .formatted(
                        row.key().stream().map(Proof::quoted).toList(),
                        Proof.quoted(row.first()),
                        Proof.quoted(row.second())))
            .toList();
    return "{\"table\": %s, \"first\": %s, \"second\": %s, \"equal\": %b, \"rows\": %d, \"differences\": %s, \"more\": %d, \"remark\": %s}"
        .formatted(
            Proof.quoted(table.table()),
            Proof.quoted(table.first()),
            Proof.quoted(table.second()),
            table.isEqual(),
            table.rows(),
            rows,
            table.more(),
            Proof.quoted(table.remark()));
  }
}
