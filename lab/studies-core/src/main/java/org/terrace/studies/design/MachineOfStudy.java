package org.terrace.studies.design;

import java.util.ArrayList;
import java.util.List;
import org.terrace.analysis.study.StudyDescription.Fact;
import org.terrace.nodes.machine.MachineFacts;

/** The machine as a study's report shows it. Stateless. */
public final class MachineOfStudy {
  private static final long MEBIBYTE = 1 << 20;

  private MachineOfStudy() {}

  /** The facts of this machine. */
  public static List<Fact> facts() {
    MachineFacts machine = MachineFacts.ofThisMachine();
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("cores", Integer.toString(machine.cores())));
    facts.add(new Fact("memory", machine.memoryBytes() / MEBIBYTE + " MiB"));
    facts.add(new Fact("processor", machine.cpu()));
    facts.add(new Fact("kernel", machine.kernel()));
    facts.add(new Fact("java", machine.java()));
    machine.commit().ifPresent(commit -> facts.add(new Fact("commit", commit)));
    return facts;
  }
}
