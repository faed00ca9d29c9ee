package org.terrace.cli;

import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.terrace.core.ErrorCode;
import org.terrace.hosts.NdbLikePackages;
import org.terrace.nodes.machine.Diagnosis;
import org.terrace.nodes.machine.MachineCheck;
import org.terrace.nodes.machine.MachineFacts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code terrace doctor}: what this machine can do, and what to install for the rest. */
@Command(
    name = "doctor",
    description =
        "Says what this machine can and cannot do, and the one command that adds the rest.")
final class DoctorCommand implements Callable<Integer> {
  @Option(names = "--json", description = "the same as JSON")
  private boolean json;

  @Option(names = "--quiet", description = "only what is missing")
  private boolean quiet;

  @Option(
      names = "--fetch",
      description = {
        "first unpacks the packages of database: ndb-like",
        "into Terrace's cache, without root"
      })
  private boolean fetch;

  @Override
  public Integer call() {
    if (fetch) {
      NdbLikePackages.fetch(System.err::println);
    }
    Diagnosis diagnosis = Diagnosis.ofThisMachine(List.of(DoctorCommand::ndbLike));
    if (json) {
      System.out.println(
          JsonMapper.builder()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .build()
              .writeValueAsString(diagnosis));
    } else {
      print(diagnosis, quiet, System.out);
    }
    return diagnosis.canRun() ? 0 : ErrorCode.MACHINE_LACKS.exitCode();
  }

  private static MachineCheck ndbLike() {
    String name = "MariaDB with Spider and Galera";
    String goodFor = "SQL nodes before data nodes (database: ndb-like)";
    return NdbLikePackages.found()
        .map(detail -> MachineCheck.present(name, detail, goodFor))
        .orElseGet(() ->
            MachineCheck.optional(
                name,
                "packages are missing: " + String.join(", ", NdbLikePackages.missing()),
                goodFor,
                Optional.of("./terrace doctor --fetch")));
  }

  private static void print(Diagnosis diagnosis, boolean quiet, PrintStream out) {
    MachineFacts facts = diagnosis.facts();
    if (!quiet) {
      out.printf("%s, %d cores, %s%n", facts.cpu(), facts.cores(), facts.kernel());
    }
    for (MachineCheck check : diagnosis.checks()) {
      if (quiet && check.isPresent()) {
        continue;
      }
      out.printf("%s %s: %s%n", mark(check), check.name(), check.detail());
      if (!check.isPresent()) {
        out.printf("    for %s%n", check.goodFor());
        check.remedy().ifPresent(remedy -> out.printf("    get it: %s%n", remedy));
      }
    }
  }

  private static String mark(MachineCheck check) {
    return switch (check.status()) {
      case PRESENT -> "ok      ";
      case OPTIONAL_MISSING -> "missing ";
      case REQUIRED_MISSING -> "REQUIRED";
    };
  }
}
