package org.terrace.seven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.terrace.core.ErrorCode;
import org.terrace.core.Flags;
import org.terrace.core.TerraceException;
import org.terrace.seven.application.Application;
import org.terrace.seven.application.Invariant;
import tools.jackson.databind.json.JsonMapper;

/**
 * The program that checks an application's invariants and, given what its clients were told, that
 * every acknowledged update is in the database once; its exit code is 1 if one is broken.
 */
public final class SevenCheck {
  private static final String USAGE =
      "--application NAME "
          + DatabaseAddress.USAGE
          + " [--json] [--acknowledged FILE] [--audit FILE]";

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

  /**
   * All that a check found, as the file of {@code --audit} has it.
   *
   * @param invariants how each fared
   * @param effects how acknowledgements and effects compare
   */
  record Report(List<Verdict> invariants, List<EffectAudit> effects) {}

  /** Checks one application. */
  public static void main(String[] arguments) {
    Program.run("SevenCheck", USAGE, () -> check(Flags.of(arguments, "--json")));
  }

  private static int check(Flags arguments) throws IOException, SQLException {
    Application<?> application = SevenApplications.named(arguments.text("--application"));
    DatabaseAddress database = DatabaseAddress.of(arguments);
    boolean json = arguments.isGiven("--json");
    Optional<Path> acknowledged = arguments.path("--acknowledged");
    Optional<Path> report = arguments.path("--audit");
    arguments.end();
    List<Verdict> verdicts;
    try (Connection connection = database.connect()) {
      verdicts = new ArrayList<>(verdicts(application, connection));
      List<EffectAudit> audits =
          acknowledged.isPresent()
              ? audits(application, acknowledged.get(), connection)
              : List.of();
      if (report.isPresent()) {
        Report found = new Report(List.copyOf(verdicts), audits);
        Files.writeString(report.get(), JsonMapper.shared().writeValueAsString(found));
      }
      audits.forEach(audit -> verdicts.add(verdict(audit)));
    }
    if (json) {
      System.out.println(JsonMapper.shared().writeValueAsString(verdicts));
    } else {
      verdicts.forEach(SevenCheck::print);
    }
    return verdicts.stream().allMatch(Verdict::holds) ? 0 : ErrorCode.CHECK_FAILED.exitCode();
  }

  private static List<EffectAudit> audits(
      Application<?> application, Path acknowledged, Connection connection) {
    if (application.effects().isEmpty()) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "--acknowledged: the effects of %s cannot be told from each other; those of %s can"
              .formatted(
                  application.name(),
                  SevenApplications.all().stream()
                      .filter(each -> !each.effects().isEmpty())
                      .map(Application::name)
                      .collect(Collectors.joining(", "))));
    }
    return EffectAudit.of(application.effects(), UpdateReceipt.read(acknowledged), connection);
  }

  private static Verdict verdict(EffectAudit audit) {
    return new Verdict(
        "effects-of-" + audit.method(),
        "Every acknowledged call of " + audit.method() + " is in the database once.",
        audit.holds(),
        audit.holds() ? List.of() : List.of(audit.violation()));
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
