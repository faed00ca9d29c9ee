package org.terrace.nodes.machine;

import java.util.Optional;

/**
 * One thing this machine has or lacks. Immutable.
 *
 * @param name what was looked for, a few words
 * @param status whether it is there
 * @param detail what was found, one clause
 * @param goodFor what Terrace does with it
 * @param remedy the one command that installs or grants it; empty when nothing is missing or no
 *     command helps
 */
public record MachineCheck(
    String name, Status status, String detail, String goodFor, Optional<String> remedy) {

  /** Whether something is there, and how much its absence matters. */
  public enum Status {
    /** The thing is there. */
    PRESENT,
    /** The thing is not there, and only the part it is good for is missing. */
    OPTIONAL_MISSING,
    /** The thing is not there, and a run cannot do without. */
    REQUIRED_MISSING
  }

  /** The check of a thing that is there. */
  public static MachineCheck present(String name, String detail, String goodFor) {
    return new MachineCheck(name, Status.PRESENT, detail, goodFor, Optional.empty());
  }

  /** The check of a thing that is missing and that a run can do without. */
  public static MachineCheck optional(
      String name, String detail, String goodFor, Optional<String> remedy) {
    return new MachineCheck(name, Status.OPTIONAL_MISSING, detail, goodFor, remedy);
  }

  /** The check of a thing that is missing and that a run needs. */
  public static MachineCheck required(
      String name, String detail, String goodFor, Optional<String> remedy) {
    return new MachineCheck(name, Status.REQUIRED_MISSING, detail, goodFor, remedy);
  }

  /** Whether it is there. */
  public boolean isPresent() {
    return status == Status.PRESENT;
  }
}
