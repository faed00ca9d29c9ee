package org.terrace.seven;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Invariant;
import tools.jackson.databind.json.JsonMapper;

/** The program that checks an application's invariants; its exit code is 1 if one is broken. */
public final class SevenCheck {
  private static final String USAGE = "--application NAME " + DatabaseAddress.USAGE + " [--json]";

  private SevenCheck() {}

  /**
   * The verdict of a check on one invariant.
   *
   * @param name the invariant
   * @param rule in a sentence
   * @param holds whether nothing breaks it
   * @param violations what does, the first few
   */
  record Verdict(String name, String rule, boolean holds, List<String> violations) {}

  /** Checks one application. */
  public static void main(String[] arguments) {
    Program.run("SevenCheck", USAGE, () -> check(Flags.of(arguments, "--json")));
  }

  private static int check(Flags arguments) throws SQLException {
    Application<?> application = SevenApplications.named(arguments.text("--application"));
    DatabaseAddress database = DatabaseAddress.of(arguments);
    boolean json = arguments.isGiven("--json");
    arguments.end();
    List<Verdict> verdicts;
    try (Connection connection = database.connect()) {
      verdicts = verdicts(application, connection);
    }
    if (json) {
      System.out.println(JsonMapper.shared().writeValueAsString(verdicts));
    } else {
      verdicts.forEach(SevenCheck::print);
    }
    return verdicts.stream().allMatch(Verdict::holds) ? 0 : ErrorCode.CHECK_FAILED.exitCode();
  }

  static List<Verdict> verdicts(Application<?> application, Connection connection) {
    List<Verdict> verdicts = new ArrayList<>();
    for (Invariant invariant : application.invariants()) {
      List<String> violations = invariant.violations(connection);
      verdicts.add(
          new Verdict(invariant.name(), invariant.rule(), violations.isEmpty(), violations));
    }
    return verdicts;
  }

  private static void print(Verdict verdict) {
    System.out.printf(
        "%-7s %s: %s%n", verdict.holds ? "holds" : "BROKEN", verdict.name, verdict.rule);
    verdict.violations.forEach(violation -> System.out.println("          " + violation));
  }
}
