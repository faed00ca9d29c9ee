package org.terrace.nodes.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * The abilities of this machine that Terrace needs, and those it lacks. Immutable.
 *
 * @param facts the machine
 * @param checks one for each thing that matters, required ones first as a rule
 */
public record Diagnosis(MachineFacts facts, List<MachineCheck> checks) {
  private static final String LINUX = "Linux";

  /** Copies the checks. */
  public Diagnosis {
    checks = List.copyOf(checks);
  }

  /** Looks at this machine; takes a second at most and leaves nothing behind. */
  public static Diagnosis ofThisMachine() {
    return ofThisMachine(List.of());
  }

  /**
   * Looks at this machine and asks further checks, of parts that this one does not know. A check
   * that fails to answer is told as missing.
   */
  public static Diagnosis ofThisMachine(List<Callable<MachineCheck>> further) {
    MachineFacts facts = MachineFacts.ofThisMachine();
    String system = System.getProperty("os.name", "");
    if (!system.equals(LINUX)) {
      return new Diagnosis(
          facts,
          List.of(
              MachineCheck.required(
                  "operating system",
                  system
                      + ": Terrace runs experiments on Linux alone; analyze, report and compare work here",
                  "everything that starts servers or captures packets",
                  Optional.empty())));
    }
    List<Callable<MachineCheck>> all = new ArrayList<>();
    all.addAll(ResourceChecks.all(facts));
    all.addAll(CaptureChecks.all());
    all.addAll(ProgramChecks.all());
    all.addAll(further);
    return new Diagnosis(facts, all.stream().map(Diagnosis::answer).toList());
  }

  /** Whether everything is there that a run cannot do without. */
  public boolean canRun() {
    return checks.stream()
        .noneMatch(check -> check.status() == MachineCheck.Status.REQUIRED_MISSING);
  }

  private static MachineCheck answer(Callable<MachineCheck> check) {
    try {
      return check.call();
    } catch (Exception e) {
      return MachineCheck.optional(
          "a check that failed",
          e.toString(),
          "telling what this machine can do",
          Optional.empty());
    }
  }
}
