package org.terrace.experiment;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.terrace.experiment.Trial.CaptureFile;
import org.terrace.nodes.machine.MachineFacts;

/** The notes beside the results of a trial: checks, the machine, versions. Stateless. */
final class TrialChecks {
  private TrialChecks() {}

  static ValidityCheck faults(Experiment experiment, List<String> problems) {
    int planned = experiment.faults().stream().mapToInt(fault -> fault.schedule().count()).sum();
    String detail =
        problems.isEmpty() ? planned + " planned, all happened" : String.join("; ", problems);
    return new ValidityCheck("faults-happened", problems.isEmpty(), detail);
  }

  static ValidityCheck sessions(SessionCounts counts) {
    return new ValidityCheck("sessions-kept", counts.kept(), counts.toString());
  }

  static ValidityCheck capture(CaptureFile capture) {
    String detail =
        capture.packets() + " packets written, " + capture.droppedPackets() + " dropped";
    return new ValidityCheck("capture-complete", capture.droppedPackets() == 0, detail);
  }

  static Map<String, String> machine() {
    MachineFacts facts = MachineFacts.ofThisMachine();
    Map<String, String> named = new TreeMap<>();
    named.put("cores", Integer.toString(facts.cores()));
    named.put("memoryBytes", Long.toString(facts.memoryBytes()));
    named.put("cpu", facts.cpu());
    named.put("kernel", facts.kernel());
    named.put("java", facts.java());
    facts.commit().ifPresent(commit -> named.put("commit", commit));
    return named;
  }

  static Map<String, String> versions() {
    Map<String, String> versions = new TreeMap<>();
    versions.put("java", Runtime.version().toString());
    String terrace = TrialChecks.class.getPackage().getImplementationVersion();
    versions.put("terrace", terrace == null ? "unpackaged" : terrace);
    return versions;
  }
}
